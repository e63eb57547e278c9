import type { Uri } from 'vscode'
import { Range, ThemeIcon, TreeItemCollapsibleState, window } from 'vscode'
import type { TextSearchQuery, TextSearchResult } from '../data-source/types.ts'
import { addressOf, uriOf } from './address'
import type { Repositories } from './repositories'
import type { Page, Results, Row } from './results'

/** The lines that are added at a time. */
const PAGE = 200

/** Asks for a text or a regular expression, and shows the lines that match. */
export async function search(
  repositories: Repositories,
  view: Results,
  uri: Uri,
  { isRegExp }: Pick<TextSearchQuery, 'isRegExp'>,
): Promise<void> {
  const title = isRegExp ? 'The regular expression, as of git grep -E' : 'The text'
  const pattern = await window.showInputBox({ title })
  if (!pattern) return
  const { source, commit } = await repositories.at(uri)
  const address = { ...addressOf(uri.authority), revision: commit }
  const query = { pattern, isRegExp }
  const read = async (page: number): Promise<Page> => {
    const options = { page, pageSize: PAGE }
    const { results, truncated } = await source.provideTextSearchResults(commit, query, options)
    const files = Map.groupBy(results, ({ path }) => path)
    const rows = Array.from(files, ([path, lines]) => fileRow(uriOf(address, path), lines))
    return { rows, more: truncated ? () => read(page + 1) : null }
  }
  await view.show(pattern, () => read(1))
}

function fileRow(uri: Uri, lines: readonly TextSearchResult[]): Row {
  return {
    item: {
      resourceUri: uri,
      description: `${uri.path.slice(1)} (${lines.length})`,
      iconPath: ThemeIcon.File,
      collapsibleState: TreeItemCollapsibleState.Expanded,
    },
    children: async () => lines.map((line) => lineRow(uri, line)),
  }
}

function lineRow(uri: Uri, { text, ranges }: TextSearchResult): Row {
  const found = ranges.map(({ start, end }) => {
    return new Range(start.line, start.character, end.line, end.character)
  })
  // Spaces before the text would be shown.
  const indent = text.length - text.trimStart().length
  const highlights = found.map(({ start, end }): [number, number] => {
    return [Math.max(0, start.character - indent), Math.max(0, end.character - indent)]
  })
  const selection = found[0]
  return {
    item: {
      label: { label: text.trimStart(), highlights },
      command: { command: 'vscode.open', title: 'Open', arguments: [uri, { selection }] },
    },
  }
}

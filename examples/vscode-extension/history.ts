import type { TextDocumentContentProvider, Uri } from 'vscode'
import { ThemeIcon, TreeItemCollapsibleState, Uri as Uris } from 'vscode'
import type { ChangedFile, Commit } from '../data-source/types.ts'
import { addressOf, uriOf } from './address'
import type { Repositories } from './repositories'
import { pathOf } from './repositories'
import type { Page, Results, Row } from './results'

/** The commits that are added at a time. */
const PAGE = 50

/** The scheme of documents without text: what an added file was before. */
export const NOTHING = 'packlens-nothing'

export const nothing: TextDocumentContentProvider = { provideTextDocumentContent: () => '' }

/** Shows the commits of the repository of a URI, or those that changed its file or folder. */
export async function showHistory(
  repositories: Repositories,
  view: Results,
  uri: Uri,
): Promise<void> {
  const path = pathOf(uri)
  const { source, commit: from } = await repositories.at(uri)
  const { repository } = addressOf(uri.authority)
  const filesOf = async ({ sha, parents: [parent] }: Commit) => {
    const files = (await source.provideCommitChangedFiles(sha)) ?? []
    return files.map((file) => fileRow(repository, sha, parent, file))
  }
  const read = async (page: number): Promise<Page> => {
    const commits = await source.provideCommits({ from, path, page, pageSize: PAGE })
    const rows = commits.map((commit) => commitRow(commit, () => filesOf(commit)))
    return { rows, more: commits.length === PAGE ? () => read(page + 1) : null }
  }
  await view.show(path === '' ? 'all files' : path, () => read(1))
}

export function subjectOf({ message }: Commit): string {
  return message.trimStart().split('\n', 1)[0] || '(no message)'
}

function commitRow(commit: Commit, children: () => Promise<Row[]>): Row {
  const { sha, author, createTime } = commit
  return {
    item: {
      label: subjectOf(commit),
      description: `${author}, ${createTime.toLocaleDateString()}`,
      tooltip: `${sha}\n\n${commit.message}`,
      iconPath: new ThemeIcon('git-commit'),
      collapsibleState: TreeItemCollapsibleState.Collapsed,
    },
    children,
  }
}

/** The row of a changed file opens the difference between both sides. */
function fileRow(
  repository: string,
  sha: string,
  parent: string | undefined,
  { status, path, previousPath }: ChangedFile,
): Row {
  const none = Uris.from({ scheme: NOTHING, path: `/${path}` })
  const isNew = status === 'added' || parent === undefined
  const before = isNew ? none : uriOf({ repository, revision: parent }, previousPath)
  const after = status === 'deleted' ? none : uriOf({ repository, revision: sha }, path)
  const title = `${path.split('/').pop()} (${sha.slice(0, 7)})`
  const renamed = path === previousPath ? '' : ` from ${previousPath}`
  return {
    item: {
      resourceUri: uriOf({ repository, revision: sha }, path),
      description: `${status}${renamed}`,
      iconPath: ThemeIcon.File,
      command: { command: 'vscode.diff', title: 'Compare', arguments: [before, after, title] },
    },
  }
}

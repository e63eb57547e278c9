import type { DecorationOptions, TextEditor } from 'vscode'
import { MarkdownString, Range, ThemeColor, window } from 'vscode'
import { subjectOf } from './history'
import type { Repositories } from './repositories'
import { pathOf } from './repositories'

const annotation = window.createTextEditorDecorationType({
  before: {
    color: new ThemeColor('editorCodeLens.foreground'),
    fontWeight: 'normal',
    margin: '0 2em 0 0',
    width: '20em',
  },
})

/** The characters that fit in. */
const MOST = 40

/** The editors that show who changed their lines. */
const shown = new WeakSet<TextEditor>()

/** Shows before each line of an editor who changed it last; hides that at the next call. */
export async function toggleBlame(repositories: Repositories, editor: TextEditor): Promise<void> {
  if (shown.delete(editor)) return editor.setDecorations(annotation, [])
  const { uri } = editor.document
  const { source, commit } = await repositories.at(uri)
  const ranges = (await source.provideFileBlameRanges(commit, pathOf(uri))) ?? []
  const decorations = ranges.flatMap(({ startingLine, endingLine, commit }) => {
    const date = commit.createTime.toLocaleDateString()
    const text = `${commit.author}, ${date}: ${subjectOf(commit)}`
    const shortened = text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text
    const hoverMessage = new MarkdownString()
    hoverMessage.appendText(`${commit.sha}\n\n${commit.message}`)
    const count = endingLine - startingLine + 1
    return Array.from({ length: count }, (_, at): DecorationOptions => {
      const line = startingLine - 1 + at
      // The first line of a range says it; before the others is a space as wide.
      const before = { contentText: at === 0 ? shortened : '\u00a0' }
      return { range: new Range(line, 0, line, 0), hoverMessage, renderOptions: { before } }
    })
  })
  shown.add(editor)
  editor.setDecorations(annotation, decorations)
}

import { load } from 'packlens/slim'
import type { ExtensionContext } from 'vscode'
import { commands, Uri, window, workspace } from 'vscode'
import { uriOf } from './address'
import { askRepository, askRevision } from './ask'
import { toggleBlame } from './blame'
import { NOTHING, nothing, showHistory } from './history'
import { RepositoryFiles } from './provider'
import { currentUri, Repositories } from './repositories'
import { Results } from './results'
import { search } from './search'

export async function activate({ extensionUri, subscriptions }: ExtensionContext): Promise<void> {
  const bytesOf = async (name: string) =>
    new Uint8Array(await workspace.fs.readFile(Uri.joinPath(extensionUri, 'out', name)))
  await load({ wasm: await bytesOf('packlens_bg.wasm'), rest: await bytesOf('packlens_rest.wasm') })
  const repositories = new Repositories()
  const hits = new Results('packlens.search')
  const commits = new Results('packlens.history')
  const register = (name: string, run: (uri: Uri) => Promise<void>) => {
    const command = (given?: Uri) => withErrors(given ?? currentUri(), run)
    return commands.registerCommand(`packlens.${name}`, command)
  }
  subscriptions.push(
    ...[repositories, hits, commits],
    workspace.registerFileSystemProvider('packlens', new RepositoryFiles(repositories), {
      isReadonly: true,
    }),
    workspace.registerTextDocumentContentProvider(NOTHING, nothing),
    commands.registerCommand('packlens.open', () => openFolder(repositories)),
    register('searchText', (uri) => search(repositories, hits, uri, { isRegExp: false })),
    register('searchPattern', (uri) => search(repositories, hits, uri, { isRegExp: true })),
    register('showHistory', (uri) => showHistory(repositories, commits, uri.with({ path: '/' }))),
    register('showPathHistory', (uri) => showHistory(repositories, commits, uri)),
    register('toggleBlame', async ({ scheme }) => {
      const editor = window.activeTextEditor
      if (editor?.document.uri.scheme === scheme) await toggleBlame(repositories, editor)
    }),
  )
}

/** Runs a command about a URI; says what went wrong. */
async function withErrors(uri: Uri | undefined, run: (uri: Uri) => Promise<void>): Promise<void> {
  if (!uri) {
    await window.showErrorMessage('Open a git repository at a revision first.')
    return
  }
  try {
    await run(uri)
  } catch (error) {
    await window.showErrorMessage(error instanceof Error ? error.message : String(error))
  }
}

/** Asks for a repository and a revision, and adds its files to the workspace. */
async function openFolder(repositories: Repositories): Promise<void> {
  const folders = workspace.workspaceFolders ?? []
  const repository = await askRepository(folders[0]?.uri.toString() ?? '')
  if (!repository) return
  const revision = await askRevision(repositories, repository)
  if (!revision) return
  const uri = uriOf({ repository, revision })
  const name = `${revision} of ${repository.replace(/\/+$/, '').split('/').pop()}`
  if (!workspace.updateWorkspaceFolders(folders.length, 0, { uri, name })) {
    await window.showErrorMessage('The workspace does not take this folder, or has it already.')
  }
}

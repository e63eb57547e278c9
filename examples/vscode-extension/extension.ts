import { load } from 'packlens/slim'
import type { ExtensionContext } from 'vscode'
import { commands, Uri, window, workspace } from 'vscode'
import { uriOf } from './address'
import { RepositoryFiles } from './provider'

export async function activate({ extensionUri, subscriptions }: ExtensionContext): Promise<void> {
  const wasm = await workspace.fs.readFile(Uri.joinPath(extensionUri, 'out', 'packlens_bg.wasm'))
  await load({ wasm: new Uint8Array(wasm) })
  const files = new RepositoryFiles()
  subscriptions.push(
    files,
    workspace.registerFileSystemProvider('packlens', files, { isReadonly: true }),
    commands.registerCommand('packlens.open', openFolder),
  )
}

/** Asks for a repository and a revision, and adds its files to the workspace. */
async function openFolder(): Promise<void> {
  const folders = workspace.workspaceFolders ?? []
  const repository = await window.showInputBox({
    title: 'The repository: its URL on a server of files, or the URI of a folder',
    value: folders[0]?.uri.toString() ?? '',
  })
  if (!repository) return
  const revision = await window.showInputBox({ title: 'The revision', value: 'HEAD' })
  if (!revision) return
  const uri = uriOf({ repository, revision })
  const name = `${revision} of ${repository.replace(/\/+$/, '').split('/').pop()}`
  if (!workspace.updateWorkspaceFolders(folders.length, 0, { uri, name })) {
    await window.showErrorMessage('The workspace does not take this folder, or has it already.')
  }
}

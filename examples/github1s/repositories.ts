import { load, open } from 'packlens/slim'
import { extensions, Uri, workspace } from 'vscode'
import { DataSource } from '../data-source/data-source.ts'

/** The repositories that were opened; each is opened once, and again after a failure. */
export class Repositories {
  readonly #urlOf: (repo: string) => string
  readonly #sources = new Map<string, Promise<DataSource>>()
  #loaded: Promise<void> | undefined

  constructor(urlOf: (repo: string) => string) {
    this.#urlOf = urlOf
  }

  at(repo: string): Promise<DataSource> {
    const kept = this.#sources.get(repo)
    if (kept) return kept
    const opening = this.#open(repo)
    this.#sources.set(repo, opening)
    opening.catch(() => this.#sources.delete(repo))
    return opening
  }

  async hasCommit(repo: string, revision: string): Promise<boolean> {
    return (await (await this.at(repo)).provideCommit(revision)) !== null
  }

  async #open(repo: string): Promise<DataSource> {
    this.#loaded ??= loadModules()
    await this.#loaded
    return new DataSource(await open(this.#urlOf(repo)))
  }
}

/** A worker of VS Code's extension host has no URL of its own: it reads files of the extension. */
async function loadModules(): Promise<void> {
  const extension = extensions.getExtension('github1s.github1s')
  if (!extension) throw new Error('the extension github1s.github1s is not installed')
  const assets = Uri.joinPath(extension.extensionUri, 'assets')
  const bytesOf = async (name: string) =>
    new Uint8Array(await workspace.fs.readFile(Uri.joinPath(assets, name)))
  await load({ wasm: await bytesOf('packlens_bg.wasm'), rest: await bytesOf('packlens_rest.wasm') })
}

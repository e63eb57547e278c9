import type { Repository } from 'packlens/slim'
import type { Disposable, Uri } from 'vscode'
import { window, workspace } from 'vscode'
import { DataSource } from '../data-source/data-source.ts'
import { addressOf } from './address'
import { openRepository } from './open'

/** A repository, at the commit that its revision named when it was opened. */
export interface Opened {
  readonly source: DataSource
  readonly commit: string
  /** When the commit was written, in milliseconds. */
  readonly time: number
}

/** The open repositories: one for all of its revisions. */
export class Repositories implements Disposable {
  readonly #repositories = new Map<string, Promise<Repository>>()
  readonly #opened = new Map<string, Promise<Opened>>()

  /** Opens what a URI is in; after a failure, the next call tries again. */
  at({ authority }: Uri): Promise<Opened> {
    return once(this.#opened, authority, () => this.#open(authority))
  }

  /** Lists the branches and tags of a repository, by the names that revisions have, and what each is. */
  async refsOf(name: string): Promise<[name: string, kind: string][]> {
    const repository = await this.#repository(name)
    const refs: [string, string][] = []
    for await (const ref of repository.refs.list()) {
      const [, kind, short] = /^refs\/(heads|tags|remotes)\/(.+)$/.exec(ref.name) ?? []
      if (kind && short) refs.push([short, KINDS[kind] ?? ''])
    }
    return refs
  }

  dispose(): void {
    for (const opening of this.#repositories.values()) {
      opening.then((repository) => repository.close()).catch(() => {})
    }
    this.#repositories.clear()
    this.#opened.clear()
  }

  #repository(name: string): Promise<Repository> {
    return once(this.#repositories, name, () => openRepository(name))
  }

  async #open(authority: string): Promise<Opened> {
    const { repository: name, revision } = addressOf(authority)
    const repository = await this.#repository(name)
    const source = new DataSource(repository)
    const commit = await source.provideCommit(revision)
    if (!commit) throw new NoCommit(`${name} has no commit ${revision}`)
    return { source, commit: commit.sha, time: commit.createTime.getTime() }
  }
}

const KINDS: Readonly<Record<string, string>> = {
  heads: 'branch',
  tags: 'tag',
  remotes: 'remote branch',
}

/** The revision of a URI names no commit. */
export class NoCommit extends Error {}

/** The repository that commands are about: that of the active editor, or of the first folder. */
export function currentUri(): Uri | undefined {
  const edited = window.activeTextEditor?.document.uri
  const folders = workspace.workspaceFolders?.map(({ uri }) => uri) ?? []
  return [...(edited ? [edited] : []), ...folders].find(({ scheme }) => scheme === 'packlens')
}

/** The path of a URI within its repository. */
export function pathOf(uri: Uri): string {
  return uri.path.replace(/^\/|\/$/g, '')
}

function once<T>(known: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> {
  const running = known.get(key)
  if (running) return running
  const started = begin()
  known.set(key, started)
  started.catch(() => known.delete(key))
  return started
}

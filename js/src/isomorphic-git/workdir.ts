/** The files of the worktree as a tree of a walk. */
import { called } from './calls.js'
import type { FileFacts } from './client.js'
import { promising, unwrapped } from './client.js'
import { worktreeOf } from './parameters.js'
import { inRepository } from './repositories.js'
import { compareText, withLineFeeds } from './text.js'
import type { EntryWalker, WalkContext, Walker, WalkerEntry, WalkerStat } from './walkers.js'
import { walkerOf } from './walkers.js'

/**
 * Returns a walker over the files of the worktree, `.git` among them. A file that the index has
 * is read only if it may have changed; the index is never written.
 */
export function WORKDIR(): Walker {
  return walkerOf((context) => new WorkdirWalker(context))
}

/** What the index says of unchanged files, and how the contents of others are converted. */
interface Indexed {
  readonly unchanged: Map<string, string>
  readonly algorithm: 'SHA-1' | 'SHA-256'
  readonly convertsLineEnds: boolean
}

class WorkdirWalker implements EntryWalker {
  readonly ConstructEntry: EntryWalker['ConstructEntry']
  readonly #context: WalkContext
  #indexed: Promise<Indexed> | undefined

  constructor(context: WalkContext) {
    this.#context = context
    const walker = this
    this.ConstructEntry = class WorkdirEntry implements WalkerEntry {
      #facts: Promise<FileFacts> | undefined
      #content: Promise<Uint8Array | undefined> | undefined

      constructor(readonly _fullpath: string) {}

      #known(): Promise<FileFacts> {
        this.#facts ??= walker.#client.lstat(walker.#path(this))
        return this.#facts
      }

      async type(): Promise<'tree' | 'blob' | 'special'> {
        const facts = await this.#known()
        if (facts.isDirectory()) return 'tree'
        return facts.isFile() || facts.isSymbolicLink?.() ? 'blob' : 'special'
      }

      async mode(): Promise<number> {
        return modeOf(await this.#known())
      }

      async stat(): Promise<WalkerStat> {
        return statOf(await this.#known())
      }

      async content(): Promise<Uint8Array | undefined> {
        this.#content ??= this.#read()
        return this.#content
      }

      async #read(): Promise<Uint8Array | undefined> {
        if ((await this.type()) !== 'blob') return undefined
        const path = walker.#path(this)
        if ((await this.#known()).isSymbolicLink?.()) return walker.#client.readlink(path)
        const content = (await walker.#client.readFile(path, {})) as Uint8Array
        const { convertsLineEnds } = await walker.#index()
        return convertsLineEnds ? withLineFeeds(content) : new Uint8Array(content)
      }

      async oid(): Promise<string | undefined> {
        if ((await this.type()) !== 'blob') return undefined
        const { unchanged, algorithm } = await walker.#index()
        const found = unchanged.get(this._fullpath)
        return found ?? blobId((await this.content()) ?? new Uint8Array(0), algorithm)
      }
    }
  }

  async readdir(entry: WalkerEntry): Promise<string[] | null> {
    if ((await entry.type()) !== 'tree') return null
    const names = (await this.#client.readdir(this.#path(entry))) as string[]
    const before = entry._fullpath === '.' ? '' : `${entry._fullpath}/`
    return [...names].sort(compareText).map((name) => before + name)
  }

  get #client() {
    return promising(unwrapped(this.#context.fs))
  }

  #path({ _fullpath }: WalkerEntry): string {
    return `${this.#context.dir}/${_fullpath}`
  }

  /** Reads the index when it first matters. */
  #index(): Promise<Indexed> {
    this.#indexed ??= called('walk', () =>
      inRepository(worktreeOf(this.#context, []), async (repo) => {
        const unchanged = new Map<string, string>()
        for await (const { path, oid, type, stage } of repo.index()) {
          if (type === 'blob' && stage === 0) unchanged.set(path, oid)
        }
        for await (const entry of repo.status({ untracked: 'no', renames: false })) {
          if (entry.kind !== 'changed' || entry.unstaged !== null) unchanged.delete(entry.path)
        }
        const config = await repo.config()
        const isSha256 = config.get('extensions.objectFormat') === 'sha256'
        const convertsLineEnds = config.get('core.autocrlf') === 'true'
        return { unchanged, algorithm: isSha256 ? 'SHA-256' : 'SHA-1', convertsLineEnds }
      }),
    )
    return this.#indexed
  }
}

/** Returns the mode as the index would have it. Modes of lightning-fs say nothing of the kind. */
function modeOf(facts: FileFacts): number {
  if (facts.isDirectory()) return 0o040000
  if (facts.isSymbolicLink?.()) return 0o120000
  return (facts.mode ?? 0) & 0o111 ? 0o100755 : 0o100644
}

/** Returns numbers as the index would have them: in 32 bits. */
function statOf(facts: FileFacts): WalkerStat {
  const low = (number = 0) => number % 2 ** 32
  const [ctime, mtime] = [timeOf(facts.ctimeMs, facts.ctime), timeOf(facts.mtimeMs, facts.mtime)]
  const { dev, ino, uid, gid, size } = facts
  return {
    ...{ ctimeSeconds: low(ctime.seconds), ctimeNanoseconds: ctime.nanoseconds },
    ...{ mtimeSeconds: low(mtime.seconds), mtimeNanoseconds: mtime.nanoseconds },
    ...{ dev: low(dev), ino: low(ino), mode: modeOf(facts), uid: low(uid), gid: low(gid) },
    size: low(size),
  }
}

function timeOf(milliseconds: number | undefined, date: Date | number = 0) {
  const time = milliseconds ?? Number(date)
  const seconds = Math.floor(time / 1000)
  return { seconds, nanoseconds: Math.floor((time - seconds * 1000) * 1000000) }
}

/** Returns the id that git gives a blob. */
async function blobId(content: Uint8Array, algorithm: Indexed['algorithm']): Promise<string> {
  const head = new TextEncoder().encode(`blob ${content.byteLength}\0`)
  const whole = new Uint8Array(head.byteLength + content.byteLength)
  whole.set(head)
  whole.set(content, head.byteLength)
  const hash = new Uint8Array(await crypto.subtle.digest(algorithm, whole))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

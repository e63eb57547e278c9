/** The index as a tree of a walk. */
import type { IndexFileEntry } from '../index.js'
import { called } from './calls.js'
import { placeOf } from './parameters.js'
import { inRepository } from './repositories.js'
import { compareText } from './text.js'
import type { EntryWalker, WalkContext, Walker, WalkerEntry, WalkerStat } from './walkers.js'
import { walkerOf } from './walkers.js'

/**
 * Returns a walker over the index. Directories have a type alone, files no content; of a file in
 * conflict the first stage counts.
 */
export function STAGE(): Walker {
  return walkerOf((context) => new StageWalker(context))
}

/** A file of the index, or the names in a directory. */
type Found = { readonly file: IndexFileEntry } | { readonly names: string[] }

class StageWalker implements EntryWalker {
  readonly ConstructEntry: EntryWalker['ConstructEntry']
  readonly #context: WalkContext
  #found: Promise<Map<string, Found>> | undefined

  constructor(context: WalkContext) {
    this.#context = context
    const walker = this
    this.ConstructEntry = class StageEntry implements WalkerEntry {
      constructor(readonly _fullpath: string) {}

      async type(): Promise<'tree' | 'blob' | 'commit'> {
        return (await walker.#file(this))?.type ?? 'tree'
      }

      async mode(): Promise<number | undefined> {
        return (await walker.#file(this))?.mode
      }

      async oid(): Promise<string | undefined> {
        return (await walker.#file(this))?.oid
      }

      async content(): Promise<undefined> {}

      async stat(): Promise<WalkerStat | undefined> {
        const file = await walker.#file(this)
        return file && statOf(file)
      }
    }
  }

  async readdir(entry: WalkerEntry): Promise<string[] | null> {
    const found = await this.#at(entry)
    if ('file' in found) return null
    const before = entry._fullpath === '.' ? '' : `${entry._fullpath}/`
    return found.names.sort(compareText).map((name) => before + name)
  }

  async #file(entry: WalkerEntry): Promise<IndexFileEntry | undefined> {
    const found = await this.#at(entry)
    return 'file' in found ? found.file : undefined
  }

  async #at({ _fullpath }: WalkerEntry): Promise<Found> {
    this.#found ??= this.#read()
    const found = (await this.#found).get(_fullpath)
    if (!found) throw new Error(`${_fullpath} was not walked`)
    return found
  }

  #read(): Promise<Map<string, Found>> {
    return called('walk', () =>
      inRepository(placeOf(this.#context, []), async (repo) => {
        const found = new Map<string, Found>([['.', { names: [] }]])
        for await (const file of repo.index()) {
          if (!found.has(file.path)) addTo(found, file.path, { file })
        }
        return found
      }),
    )
  }
}

/** Adds an entry, and the directories above it. */
function addTo(found: Map<string, Found>, path: string, entry: Found): void {
  found.set(path, entry)
  for (let below = path; ; ) {
    const slash = below.lastIndexOf('/')
    const folder = slash < 0 ? '.' : below.slice(0, slash)
    const name = below.slice(slash + 1)
    const above = found.get(folder)
    if (above) {
      if ('names' in above) above.names.push(name)
      return
    }
    found.set(folder, { names: [name] })
    below = folder
  }
}

function statOf({ mode, stat }: IndexFileEntry): WalkerStat {
  const { ctime, mtime, dev, ino, uid, gid, size } = stat
  return {
    ...{ ctimeSeconds: ctime.seconds, ctimeNanoseconds: ctime.nanoseconds },
    ...{ mtimeSeconds: mtime.seconds, mtimeNanoseconds: mtime.nanoseconds },
    ...{ dev, ino, mode, uid, gid, size },
  }
}

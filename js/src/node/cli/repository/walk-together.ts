/** Continues a long walk on several threads. */
import type { Pages } from '../../../engine/engine.js'
import { LocalEngine } from '../../../engine/local-engine.js'
import { WorkerPool } from '../../../engine/worker-pool.js'
import { openEngineInWorker } from '../../../worker/open.js'
import { spawnFrom } from '../../spawn.js'
import { environmentOf } from '../base/environment.js'
import { publishedFile } from '../base/published.js'
import type { Opened } from '../opening/command.js'

/** The size of a page, in bytes. */
const CHUNK = 64 << 10

/** Passes what is left of a walk to `use`, page by page, and ends it. */
export async function walkTogether(
  { io, place, reader }: Opened,
  helpers: number,
  walk: Pages,
  use: (page: Uint8Array) => void,
): Promise<void> {
  const recruit = () => {
    const spawn = spawnFrom(publishedFile('node/packlens-worker.js'))
    const store = () => Promise.reject(new Error('a path goes to a worker'))
    const what = { source: place.gitDir, store, modules: undefined, spawn }
    const { directories } = environmentOf(io)
    return openEngineInWorker(what, { ...directories, verify: reader.verify })
  }
  const pool = new WorkerPool(recruit, helpers)
  const pages = pool.sharedWalk(new LocalEngine(reader.session), walk)
  try {
    while (!pages.done) use(await pages.next(CHUNK, {}))
  } finally {
    pages.end()
    pool.close()
  }
}

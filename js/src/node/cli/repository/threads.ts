/** Runs commands on several threads. */
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import * as path from 'node:path'
import type { PackOptions } from '../../../packs/pack-answers.js'
import { failed } from '../base/exit.js'
import { publishedFile } from '../base/published.js'
import type { Command } from '../opening/command.js'
import type { ObjectFormat } from '../packs/pack-session.js'
import { memoryOf } from './reader.js'

type Api = typeof import('../../../index.node.js')

/** The least size of a pack to share, in bytes: smaller ones take less than a thread's start. */
const WORTH_SHARING = 8 << 20

/** The most threads. Like git's, the default is one per processor, but 20 at most. */
const MOST_THREADS = 20

/** Returns how many threads read a pack: the given number, or as many as are worth it. */
export function threadsFor(command: Command, pack: string, given: string | undefined): number {
  const number = Math.min(Number(given ?? 0) || availableParallelism(), MOST_THREADS)
  const stat = statSync(path.resolve(command.io.cwd, pack), { throwIfNoEntry: false })
  return given === undefined && (stat?.size ?? 0) < WORTH_SHARING ? 1 : number
}

/** Calls the API of the package, which has the script of its workers. */
export async function together<T>(
  { io }: Command,
  threads: number,
  objectFormat: ObjectFormat,
  use: (api: Api, options: PackOptions) => Promise<T>,
): Promise<T> {
  // Imported by URL, so that the bundle of the command line does not contain the package.
  const api: Api = await import(publishedFile('node/packlens.js').href)
  const memory = Math.floor(memoryOf(io.env.PACKLENS_MEMORY) / threads)
  try {
    return await use(api, { memory, objectFormat, workers: threads - 1 })
  } catch (error) {
    throw api.isPacklensError(error) ? failed(error) : error
  }
}

/** Checks a pack and its index, in a repository or on its own. */

import type { MaybePromise } from '../base/maybe.js'
import type { PackFacts } from '../objects/pack-records.js'
import { dispatchRecords } from '../objects/pack-records.js'
import { CHECK_PACK, CHECK_PACK_FILES } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { ofAllRows } from '../questions/repository-context.js'
import { ofCaller } from '../source/failed.js'
import type { PackOptions, PackReaders } from './pack-answers.js'
import { closing, dispatchAll, factsIn, only, packQuestion, reporting } from './pack-answers.js'

/** The options of {@link Repository.checkPack}. */
export type CheckPackOptions = Pick<PackOptions, 'collisions' | 'onProgress' | 'signal'>

/** The options of `checkPack` for a pack outside a repository. */
export interface CheckPackFilesOptions extends PackOptions {
  /**
   * Called with the output of `git verify-pack -v`, a piece at a time, if the pack matches
   * its index. The bytes are valid until the function returns.
   */
  readonly onListing?: ((text: Uint8Array<ArrayBuffer>) => void) | undefined
  /** Omits the lines about each object, as `--stat-only` does. */
  readonly statOnly?: boolean | undefined
}

/** Checks a pack of a repository, given by its name or path. */
export function checkPack(
  context: RepositoryContext,
  name: string,
  options: CheckPackOptions = {},
): MaybePromise<PackFacts> {
  checkOptions('checkPack', options, CHECK_PACK)
  checkArgument('checkPack', 'the name of the pack', name, text)
  const { engine, pool, inOneTurn } = context
  const stem = name.replace(/\.(pack|idx)$/, '')
  const path = stem.includes('/') ? stem : `objects/pack/${stem}`
  const { collisions } = options
  const request = packQuestion({ verify: true, collisions }, `${path}.pack`, `${path}.idx`)
  const begin = () =>
    inOneTurn ? engine.pages(request) : pool.index(engine, request, dispatchRecords)
  return ofAllRows(context, factsIn(begin, reporting(options), options), only)
}

/** Checks the pack that an engine was opened with, and closes the engine. */
export async function checkPackWith(
  open: () => PackReaders,
  options: CheckPackFilesOptions,
): Promise<PackFacts> {
  checkOptions('checkPack', options, CHECK_PACK_FILES)
  const { onListing, statOnly, collisions } = options
  const summary = onListing !== undefined
  const request = packQuestion({ verify: true, lines: summary && !statOnly, summary, collisions })
  const receiver = {
    ...reporting(options),
    ...(onListing && { text: ofCaller('onListing', onListing) }),
  }
  return closing(open(), (pages) => dispatchAll(pages(request), receiver, options))
}

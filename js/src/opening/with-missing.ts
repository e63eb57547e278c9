/** Loads what fetches missing objects, if the caller gives a hook for them. */

import { full } from '../base/lazy.js'
import type { MaybePromise } from '../base/maybe.js'
import type { MissingHook } from '../source/fetched.js'
import type { FileStore } from '../source/store.js'
import type { OpenOptions } from './open.js'

/** Returns a store that fetches missing objects by `missing`, if that is given. */
export function withMissing(
  store: MaybePromise<FileStore>,
  options: OpenOptions,
): MaybePromise<FileStore> {
  return options.missing ? whenLoaded(store, options.missing, options) : store
}

async function whenLoaded(
  store: MaybePromise<FileStore>,
  missing: MissingHook,
  options: OpenOptions,
): Promise<FileStore> {
  const opening = Promise.resolve(store)
  try {
    const [opened, { fetching }] = await Promise.all([opening, full()])
    return fetching(opened, missing, options)
  } catch (error) {
    opening.then(
      (late) => late.close?.(),
      () => {},
    )
    throw error
  }
}

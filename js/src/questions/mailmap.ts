/** Reads the mailmap of a tree. */

import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { Mailmap } from '../base/types.js'
import { text as decoded } from '../base/utf8.js'
import { parseMailmap } from '../objects/mailmap.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { READ } from '../options/tables.js'
import type { ReadOptions } from './reading.js'
import { find } from './reading.js'
import type { RepositoryContext } from './repository-context.js'

export function mailmap(
  context: RepositoryContext,
  spec = 'HEAD',
  options: ReadOptions = {},
): MaybePromise<Mailmap> {
  checkOptions('mailmap', options, READ)
  checkArgument('mailmap', 'the revision', spec, text)
  return whenReady(find(context, `${spec}:.mailmap`, options), (found) =>
    parseMailmap(found?.type === 'blob' ? decoded(found.data) : ''),
  )
}

/** Checks refs against commits and new names. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { AVAILABILITIES, type CheckAvailableQuestion, type RefsQuestion } from '../base/protocol.js'
import { encodeSpecs } from '../base/specs.js'
import type { Availability, Ref } from '../base/types.js'
import { text as textOf } from '../base/utf8.js'
import { Reader } from '../objects/records.js'
import { AVAILABLE } from '../options/full-tables.js'
import { checkArgument, checkOptions, list, text } from '../options/rules.js'
import type { AskOptions } from '../session/session.js'
import type { ListRefsOptions } from './ref-answers.js'
import { listing, listRequest } from './ref-answers.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Refs.checkAvailable}. */
export interface AvailableOptions extends AskOptions {
  /** Refs that will be deleted, and so do not conflict. */
  readonly deleting?: Iterable<string> | undefined
  /** Other names that are planned together with these. */
  readonly extra?: Iterable<string> | undefined
  /** Skips the search for existing refs in a repository without any. Default: false. */
  readonly initial?: boolean | undefined
}

const PAGE = 64 << 10

export function containing(
  context: RepositoryContext,
  spec: string,
  options: ListRefsOptions,
): Listing<Ref> {
  const request = (): RefsQuestion => {
    checkArgument('refs.containing', 'the revision', spec, text)
    return { ...listRequest('refs.containing', options), contains: encodeSpecs([spec]) }
  }
  return listing(context, request, options)
}

/** Returns which refs can be created together. */
export function checkAvailable(
  context: RepositoryContext,
  names: Iterable<string>,
  options: AvailableOptions,
): MaybePromise<Map<string, Availability>> {
  checkArgument('refs.checkAvailable', 'the first argument', names, list)
  checkOptions('refs.checkAvailable', options, AVAILABLE)
  const asked = [...names]
  const request = availableRequest(asked, options)
  const begin = () => context.engine.pages(request)
  const { signal } = options
  const rows = { begin, rowsIn: decodeAvailable, capacity: PAGE, options: { signal } }
  return ofAllRows(context, rows, (found) => answers(asked, found))
}

function decodeAvailable(records: Uint8Array<ArrayBuffer>): Availability[] {
  const reader = new Reader(records)
  const found: Availability[] = []
  while (!reader.done) {
    const code = AVAILABILITIES[reader.u32()] ?? 'bad-name'
    const other = textOf(reader.string())
    const message = textOf(reader.string())
    const conflictsWith = other === '' ? null : other
    found.push(code === 'available' ? { ok: true } : { ok: false, code, conflictsWith, message })
  }
  return found
}

function availableRequest(
  names: readonly string[],
  { deleting = [], extra = [], initial }: AvailableOptions,
): CheckAvailableQuestion {
  return {
    kind: 'checkAvailable',
    names: encodeSpecs(names),
    deleting: encodeSpecs(deleting),
    extra: encodeSpecs(extra),
    initial,
  }
}

function answers(
  names: readonly string[],
  found: readonly Availability[],
): Map<string, Availability> {
  if (names.length !== found.length) {
    throw new PacklensError('INTERNAL', 'not every name got an answer')
  }
  return new Map(names.map((name, at) => [name, found[at] as Availability]))
}

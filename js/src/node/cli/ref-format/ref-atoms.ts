/** The fields of `for-each-ref`: git-for-each-ref(1), "FIELD NAMES". */

import type { Mailmap } from '../../../base/types.js'
import { fatal } from '../base/exit.js'
import type { Settings } from '../config/settings.js'
import { type Contents, firstLines, sanitized, takeApart } from '../pretty/ref-contents.js'
import type { ListedRef } from '../refs/ref-list.js'
import { readRef } from '../refs/refnames.js'
import type { Reader, Tracking } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'
import { integerOf } from '../text/numbers.js'
import { isBaseAtom } from './ref-base.js'
import { colorOfField } from './ref-color.js'
import type { RefDistances } from './ref-distances.js'
import { describeAtom, trailersAtom } from './ref-messages.js'
import { nameShower, unrecognized } from './ref-names.js'
import { personAtom } from './ref-persons.js'
import { aheadBehindAtom, trackingAtom } from './ref-tracking.js'

const COMMAND = 'for-each-ref'

/** The fewest digits of a shortened id. */
const LEAST_DIGITS = 4

/** The value of a field: the text to show, and the number to sort by, if it has one. */
export interface Value {
  readonly text: string
  readonly number?: number
}

export type Atom = (ref: RefFacts) => Value

/** The refs that are listed together, and what is known of them all. */
export interface RefFactsList {
  readonly distances: RefDistances
  /** The configuration. */
  readonly settings: Settings
  /** Reads the mailmap, once. */
  readonly mailmap: () => Mailmap
  /** Returns the worktree that has a branch checked out, by the name of the branch; read once. */
  readonly worktrees: () => ReadonlyMap<string, string>
  /** All refs that options select, in the order of their names. */
  selected: readonly RefFacts[]
  /** The refs of which facts are shown, or by which they are sorted. */
  listed: readonly RefFacts[]
}

/** A listed ref. Facts that have to be read are read once, when a field first needs them. */
export class RefFacts {
  readonly ref: ListedRef
  readonly oid: string
  readonly reader: Reader
  readonly list: RefFactsList
  #tracking: Tracking | undefined
  readonly #contents = new Map<string, Contents>()
  readonly #infos = new Map<string, { type: Contents['type']; size: number }>()

  constructor(reader: Reader, list: RefFactsList, ref: ListedRef, oid: string) {
    this.reader = reader
    this.list = list
    this.ref = ref
    this.oid = oid
  }

  /** The commit that the ref leads to, if it is one. */
  get commit(): string | null {
    return this.reader.find(`${this.oid}^{commit}`)
  }

  /** The upstream and the push destination; all fields are empty for refs but branches. */
  get tracking(): Tracking {
    this.#tracking ??= this.reader.tracking(this.ref.name)
    return this.#tracking
  }

  info(oid: string): { type: Contents['type']; size: number } {
    const info = this.#infos.get(oid) ?? this.reader.info(oid)
    if (!info) throw this.missing(oid)
    this.#infos.set(oid, info)
    return info
  }

  contents(oid: string): Contents {
    const known = this.#contents.get(oid)
    if (known) return known
    const { type, size } = this.info(oid)
    // Only the field `raw` shows the content of a blob or tree.
    const data = type === 'blob' || type === 'tree' ? '' : this.#read(oid)
    const contents = takeApart(type, size, data)
    this.#contents.set(oid, contents)
    return contents
  }

  storage(oid: string): { diskSize: number; deltaBase: string | null } {
    const found = this.reader.storage(oid)
    if (!found) throw this.missing(oid)
    return found
  }

  /** Returns the whole content, one character per byte. */
  raw(oid: string): string {
    return this.#read(oid)
  }

  missing(oid: string): Error {
    return fatal(`missing object ${oid} for ${this.ref.name}`)
  }

  #read(oid: string): string {
    const data = this.reader.read(oid, (object) => fromBytes(object.data))
    if (data === null) throw this.missing(oid)
    return data
  }
}

/** Parses the text between `%(` and `)`. @throws Exit if there is no such field */
export function parseAtom(text: string, head: () => string | null): Atom {
  const deref = text.startsWith('*')
  const [, name = '', given] = /^([^:]*)(?::(.*))?$/s.exec(deref ? text.slice(1) : text) ?? []
  // Only dates have formats without a name, which git refuses once it shows one.
  const argument = given === '' && !name.endsWith('date') ? undefined : given
  if (name === '' && given === undefined) throw fatal(`malformed field name: ${text}`)
  const atom = atomOf(name, argument, head)
  if (!atom) throw fatal(`unknown field name: ${deref ? text.slice(1) : text}`)
  if (atom.ofRef) return (facts) => atom.value(facts, facts.oid)
  if (!deref) return (facts) => atom.value(facts, facts.oid)
  return (facts) => {
    // Only tags have a target: fields with `*` are empty for other objects.
    if (facts.info(facts.oid).type !== 'tag') return { text: '' }
    const peeled = facts.ref.peeled ?? facts.reader.find(`${facts.oid}^{}`)
    if (peeled === null) throw facts.missing(facts.contents(facts.oid).header('object'))
    return atom.value(facts, peeled)
  }
}

export interface Known {
  readonly ofRef?: boolean
  readonly value: (facts: RefFacts, oid: string) => Value
}

type Text = (contents: Contents) => string

const UNSUPPORTED = /^(rest|signature|flag)$/

function atomOf(
  name: string,
  argument: string | undefined,
  head: () => string | null,
): Known | undefined {
  const plain = (value: Known['value'], ofRef = false): Known => {
    if (argument !== undefined) throw fatal(`%(${name}) does not take arguments`)
    return { value, ofRef }
  }
  const text = (of: Text): Known => plain((facts, oid) => ({ text: of(facts.contents(oid)) }))
  switch (name) {
    case 'refname':
      return { ofRef: true, value: nameShower(name, argument, ({ ref }) => ref.name) }
    case 'color': {
      // A format has the color; refs do not differ by it.
      colorOfField(argument === undefined ? name : `${name}:${argument}`)
      return { ofRef: true, value: () => ({ text: '' }) }
    }
    case 'symref':
      return { ofRef: true, value: nameShower(name, argument, targetOf) }
    case 'HEAD':
      return plain(({ ref }) => ({ text: ref.name === head() ? '*' : ' ' }), true)
    case 'upstream':
    case 'push':
      return { ofRef: true, value: trackingAtom(name, argument) }
    case 'ahead-behind':
      return { ofRef: true, value: aheadBehindAtom(argument) }
    case 'is-base':
      return { ofRef: true, value: isBaseAtom(argument) }
    case 'worktreepath':
      // git looks at no argument here.
      return {
        ofRef: true,
        value: ({ ref, list }) => ({ text: list.worktrees().get(ref.name) ?? '' }),
      }
    case 'objecttype':
      return plain((facts, oid) => ({ text: facts.info(oid).type }))
    case 'objectsize':
      if (argument === 'disk') {
        return { value: (facts, oid) => numbered(facts.storage(oid).diskSize) }
      }
      if (argument !== undefined) throw unrecognized(name, argument)
      return { value: (facts, oid) => numbered(facts.info(oid).size) }
    case 'deltabase':
      return plain((facts, oid) => {
        return { text: facts.storage(oid).deltaBase ?? '0'.repeat(oid.length) }
      })
    case 'raw':
      if (argument === 'size') return { value: (facts, oid) => numbered(facts.info(oid).size) }
      if (argument !== undefined) throw unrecognized(name, argument)
      return { value: (facts, oid) => ({ text: facts.raw(oid) }) }
    case 'objectname':
      return { value: idShower(name, argument, (_, oid) => [oid]) }
    case 'tree':
      return {
        value: idShower(name, argument, ({ headers, type }) =>
          type === 'commit' ? headers('tree') : [],
        ),
      }
    case 'parent':
      return {
        value: idShower(name, argument, ({ headers, type }) =>
          type === 'commit' ? headers('parent') : [],
        ),
      }
    case 'numparent':
      return plain((facts, oid) => {
        const { type, headers } = facts.contents(oid)
        return type === 'commit' ? numbered(headers('parent').length) : { text: '', number: 0 }
      })
    case 'object':
    case 'type':
    case 'tag':
      return text(({ type, header }) => (type === 'tag' ? header(name) : ''))
    case 'subject':
      if (argument === 'sanitize') return of((contents) => sanitized(contents.subject))
      if (argument !== undefined) throw unrecognized(name, argument)
      return text(({ subject }) => subject)
    case 'body':
      return text((contents) => contents.body(true))
    case 'contents':
      return messagePart(argument)
    case 'trailers':
      return trailersAtom(argument)
    case 'describe':
      return describeAtom(argument)
  }
  const person = personAtom(name, argument)
  if (!person && UNSUPPORTED.test(name))
    throw fatal(`packlens ${COMMAND} does not support %(${name})`)
  return person
}

export const of = (text: Text): Known => ({
  value: (facts, oid) => ({ text: text(facts.contents(oid)) }),
})

const numbered = (number: number): Value => ({ text: `${number}`, number })

function messagePart(argument: string | undefined): Known {
  const lines = /^lines=(.*)$/s.exec(argument ?? '')?.[1]
  if (lines !== undefined) {
    const count = integerOf(lines)
    if (count === null || count < 0) throw fatal(`positive value expected contents:${argument}`)
    return of(({ unsigned }) => firstLines(unsigned, count))
  }
  switch (argument) {
    case undefined:
      return of(({ message }) => message)
    case 'subject':
      return of(({ subject }) => subject)
    case 'body':
      return of((contents) => contents.body(false))
    case 'signature':
      return of(({ signature }) => signature)
    case 'size':
      return of(({ type, message }) => {
        return type === 'commit' || type === 'tag' ? `${message.length}` : ''
      })
  }
  const [trailers, options] = /^trailers(?::(.*))?$/s.exec(argument) ?? []
  if (trailers !== undefined) return trailersAtom(options)
  if (/^subject:/.test(argument)) {
    throw fatal(`packlens ${COMMAND} does not support %(contents:${argument})`)
  }
  throw unrecognized('contents', argument)
}

function idShower(
  name: string,
  argument: string | undefined,
  ids: (contents: Contents, oid: string) => string[],
): Known['value'] {
  const [least, given] = /^short(?:=(.*))?$/s.exec(argument ?? '') ?? []
  if (argument !== undefined && least === undefined) throw unrecognized(name, argument)
  const number = given === undefined ? 0 : integerOf(given)
  if (number === null || (given !== undefined && number <= 0)) {
    throw fatal(`positive value expected '${given}' in %(${name}:${argument})`)
  }
  const digits = given === undefined ? 0 : Math.max(number, LEAST_DIGITS)
  return (facts, oid) => {
    const found = name === 'objectname' ? [oid] : ids(facts.contents(oid), oid)
    const shown =
      least !== undefined ? found.map((id) => facts.reader.abbreviate(id, digits)) : found
    return { text: shown.join(' ') }
  }
}

/** Returns the final target of a symbolic ref; empty if the ref is not symbolic. */
function targetOf({ ref, reader }: RefFacts): string {
  let target = ref.target
  for (let next = target; next !== null; ) {
    target = next
    const found = readRef(reader, next)
    next = found?.target == null ? null : Buffer.from(found.target).toString('latin1')
  }
  return target ?? ''
}

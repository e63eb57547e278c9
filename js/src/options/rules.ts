/** Rules for option values, and the one check that all public calls use. */
import { PacklensError } from '../base/errors.js'

/** A rule for a value. */
export interface Rule {
  /** The allowed values in words, as they follow "`name` must be": `true or false`. */
  readonly what: string
  readonly fits: (value: unknown) => boolean
}

/** The rules of all options of a call; a missing rule does not compile. */
export type Rules<T> = { readonly [K in keyof T]-?: Rule }

/** The most characters of a value that a message shows. */
const MOST_SHOWN = 60

/**
 * Checks the options of a call. An option that is `undefined` counts as not given.
 *
 * @throws `BAD_INPUT` that names the option, its value, and the allowed values
 */
export function checkOptions<T extends object>(
  call: string,
  options: T,
  rules: Rules<T>,
  prefix = '',
): void {
  if (typeof options !== 'object' || options === null) {
    throw bad(`the options of \`${call}\` must be an object`, options)
  }
  for (const name of Object.keys(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof T] : undefined
    if (!rule) throw unknown(call, prefix + name, Object.keys(rules))
    const value = options[name as keyof T]
    if (value !== undefined && !rule.fits(value)) {
      throw bad(`\`${prefix}${name}\` of \`${call}\` must be ${rule.what}`, value)
    }
  }
}

/** Checks an argument of a call other than its options. */
export function checkArgument(call: string, name: string, value: unknown, rule: Rule): void {
  if (!rule.fits(value)) throw bad(`${name} of \`${call}\` must be ${rule.what}`, value)
}

function bad(what: string, value: unknown): PacklensError {
  return new PacklensError('BAD_INPUT', what, { subject: shown(value) })
}

function unknown(call: string, name: string, known: readonly string[]): PacklensError {
  const allowed = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`
  const what = `\`${call}\` has no such option, ${allowed}`
  return new PacklensError('BAD_INPUT', what, { subject: name.slice(0, MOST_SHOWN) })
}

/** Returns any value as text for a message. */
function shown(value: unknown): string {
  const text = textOf(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text
}

function textOf(value: unknown): string {
  if (value === '') return "''"
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'an array' : Object.prototype.toString.call(value)
  }
  return String(value)
}

export const flag: Rule = {
  what: 'true or false',
  fits: (value) => typeof value === 'boolean',
}

export const callback: Rule = {
  what: 'a function',
  fits: (value) => typeof value === 'function',
}

export const text: Rule = {
  what: 'a string',
  fits: (value) => typeof value === 'string',
}

/** A string or several. Their content is checked where it is parsed. */
export const texts: Rule = {
  what: 'a string, or an iterable of strings',
  fits: (value) => typeof value === 'string' || isIterable(value),
}

export const list: Rule = {
  what: 'an iterable of strings, such as an array',
  fits: (value) => typeof value !== 'string' && isIterable(value),
}

/** An iterable of any values. */
export const each: Rule = {
  what: 'an iterable, such as an array',
  fits: isIterable,
}

export const path: Rule = {
  what: 'a path: a string that is not empty and has no NUL',
  fits: (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
}

export const paths: Rule = {
  what: 'an array of paths',
  fits: (value) => Array.isArray(value) && value.every(path.fits),
}

/** Paths in a tree, which need not be UTF-8. */
export const treePaths: Rule = {
  what: 'a path as a string or bytes, or an array of these',
  fits: (value) =>
    (Array.isArray(value) ? value : [value]).every((one) =>
      one instanceof Uint8Array ? one.length > 0 && !one.includes(0) : path.fits(one),
    ),
}

/** An `AbortSignal`, also one of another realm or of a library. */
export const signal: Rule = {
  what: 'an AbortSignal',
  fits: (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as AbortSignal).aborted === 'boolean' &&
    typeof (value as AbortSignal).addEventListener === 'function',
}

export const anything: Rule = { what: 'anything', fits: () => true }

export function oneOf(...values: readonly (string | boolean)[]): Rule {
  const shown = values.map((value) => (typeof value === 'string' ? `'${value}'` : `${value}`))
  const last = shown.pop()
  const what = shown.length > 0 ? `${shown.join(', ')} or ${last}` : `${last}`
  return { what, fits: (value) => values.includes(value as string) }
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Rule {
  const end =
    most === Number.MAX_SAFE_INTEGER ? ` of at least ${least}` : ` from ${least} to ${most}`
  return {
    what: `a whole number${end}`,
    fits: (value) =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  }
}

/** A number of bytes; `Infinity` means no limit. */
export const size: Rule = {
  what: 'a number of bytes, 0 or more',
  fits: (value) => typeof value === 'number' && value >= 0,
}

/** A point in time from 1970 on. */
export const date: Rule = {
  what: 'a Date, or whole seconds since 1970',
  fits: (value) => (value instanceof Date ? value.getTime() >= 0 : whole(0).fits(value)),
}

/** An object whose own options are checked by their own rules. */
export const record: Rule = {
  what: 'an object',
  fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

export function either(...rules: readonly Rule[]): Rule {
  return {
    what: rules.map(({ what }) => what).join(', or '),
    fits: (value) => rules.some((rule) => rule.fits(value)),
  }
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/** The arguments of `blame`: options, a revision, and a file. */
import type { BlameQuestion } from '../../../base/protocol.js'
import type { Option } from '../args/options.js'
import { parseOptions } from '../args/options.js'
import { Exit, fatal } from '../base/exit.js'
import { dateShower } from '../dates/dates.js'
import { algorithmOf } from '../diff/diff-args.js'
import { type OutputEncoding, parseEncoding } from '../pretty/commit-content.js'
import { secondsOf } from '../text/numbers.js'
import type { BlameColoring } from './blame-colors.js'

/** The styles of dates whose columns git aligns by widths of its own. */
const UNSUPPORTED_DATES = /^(human|local|format:|auto:|.*-local$)/s

/** What is printed. */
export interface BlameArgs {
  incremental: boolean
  porcelain: boolean
  /** Every line has all the facts. */
  linePorcelain: boolean
  /** Prints what `git annotate` does. */
  annotates: boolean
  /** Ids have all digits. */
  long: boolean
  rawDates: boolean
  /** Leaves out persons and dates. */
  short: boolean
  paths: boolean
  numbers: boolean
  mails: boolean
  /** Ids of boundaries are blank. */
  blank: boolean
  /** Commits without parents are like others. */
  roots: boolean
  /** The digits of shown ids: `null` for as many as needed, 0 for all. */
  digits: number | null
  date: string
  /** The encoding of names and subjects; `null` as the configuration says. */
  encoding: OutputEncoding | null
  /** The texts of `-L`. */
  ranges: string[]
  /** The revisions of `--ignore-rev`, and the files of `--ignore-revs-file`. */
  ignored: string[]
  ignoredFiles: string[]
  /** Those of `blame.ignoreRevsFile`, which an empty name of an option clears, too. */
  configuredFiles: string[]
  /** Marks lines that an ignored commit changed: with `?`, and if no other is known with `*`. */
  marksIgnored: boolean
  marksUnblamable: boolean
  coloring: BlameColoring
  /** How lines are followed, as the core takes it. */
  following: Pick<
    BlameQuestion,
    | 'algorithm'
    | 'whitespace'
    | 'withoutIndentHeuristic'
    | 'firstParent'
    | 'since'
    | 'reverse'
    | 'moveScore'
    | 'copies'
    | 'copyScore'
  >
}

/** The arguments that are no options: those before `--`, and those after it. */
export interface Operands {
  readonly before: readonly string[]
  readonly after: readonly string[] | null
}

/** @param defaults what the configuration says */
export function parseArgs(
  args: readonly string[],
  defaults: Partial<BlameArgs>,
): BlameArgs & Operands {
  const parsed: BlameArgs = {
    ...{ incremental: false, porcelain: false, linePorcelain: false, annotates: false },
    ...{ long: false, rawDates: false, short: false, paths: false, numbers: false },
    ...{ mails: false, blank: false, roots: false, digits: null, date: 'iso', ranges: [] },
    encoding: null,
    ...{ ignored: [], ignoredFiles: [], configuredFiles: [] },
    ...{ marksIgnored: false, marksUnblamable: false, following: {} },
    coloring: { lines: false, age: false },
    ...defaults,
  }
  const dashes = args.indexOf('--')
  const options = [...formats(parsed), ...followed(parsed), ...ignored(parsed), ...UNSUPPORTED]
  const before = parseOptions(options, dashes < 0 ? args : args.slice(0, dashes))
  return { ...parsed, before, after: dashes < 0 ? null : args.slice(dashes + 1) }
}

type Flag = {
  [name in keyof BlameArgs]: BlameArgs[name] extends boolean ? name : never
}[keyof BlameArgs]

function formats(parsed: BlameArgs): Option[] {
  const flag = (name: Flag, short: string | undefined, long?: string): Option => ({
    ...(short === undefined ? {} : { short }),
    ...(long === undefined ? {} : { long, negatable: true }),
    set: (_, negated) => {
      parsed[name] = !negated
    },
  })
  const coloring = (long: string, name: keyof BlameColoring): Option => ({
    ...{ long, negatable: true },
    set: (_, negated) => {
      parsed.coloring[name] = !negated
    },
  })
  return [
    flag('incremental', undefined, 'incremental'),
    flag('porcelain', 'p', 'porcelain'),
    flag('linePorcelain', undefined, 'line-porcelain'),
    flag('annotates', 'c'),
    flag('long', 'l'),
    flag('rawDates', 't'),
    flag('short', 's'),
    flag('paths', 'f', 'show-name'),
    flag('numbers', 'n', 'show-number'),
    flag('mails', 'e', 'show-email'),
    flag('blank', 'b'),
    flag('roots', undefined, 'root'),
    {
      ...{ long: 'encoding', value: 'required' },
      set: (value = '') => {
        parsed.encoding = parseEncoding(value)
      },
    },
    { short: 'L', value: 'required', set: (value = '') => parsed.ranges.push(value) },
    {
      ...{ long: 'abbrev', value: 'optional', negatable: true },
      set: (value, negated) => {
        parsed.digits = negated ? 0 : digitsOf(value)
      },
    },
    {
      ...{ long: 'date', value: 'required' },
      set: (value = '') => {
        parsed.date = dateStyleOf(value)
      },
    },
    coloring('color-lines', 'lines'),
    coloring('color-by-age', 'age'),
    // Progress is never shown.
    { long: 'progress', negatable: true, set: () => undefined },
  ]
}

/** @throws Exit for an unknown style, which ends the command even if no date is printed */
export function dateStyleOf(value: string): string {
  if (value === '') throw fatal('unknown date format ')
  if (UNSUPPORTED_DATES.test(value)) {
    throw fatal(`packlens blame does not support dates as '${value}'`)
  }
  dateShower(value)
  return value
}

function followed(parsed: BlameArgs): Option[] {
  const set = (change: BlameArgs['following']) => {
    parsed.following = { ...parsed.following, ...change }
  }
  return [
    { short: 'w', set: () => set({ whitespace: 'all' }) },
    { long: 'minimal', set: () => set({ algorithm: 'minimal' }) },
    {
      ...{ long: 'diff-algorithm', value: 'required' },
      set: (value = '') => set({ algorithm: algorithmOf(value) }),
    },
    {
      ...{ long: 'indent-heuristic', negatable: true },
      set: (_, negated) => set({ withoutIndentHeuristic: negated }),
    },
    { long: 'first-parent', set: () => set({ firstParent: true }) },
    { long: 'reverse', set: () => set({ reverse: true }) },
    ...['since', 'after', 'max-age'].map(
      (long): Option => ({
        ...{ long, value: 'required' },
        set: (value = '') => set({ since: ageOf(long, value) }),
      }),
    ),
    {
      ...{ short: 'M', value: 'optional' },
      set: (value) => set({ moveScore: scoreOf(value) ?? parsed.following.moveScore ?? MOVED }),
    },
    {
      ...{ short: 'C', value: 'optional' },
      set(value) {
        const { copies, copyScore = COPIED, moveScore = MOVED } = parsed.following
        const next = copies === undefined ? 'changed' : copies === 'changed' ? 'created' : 'any'
        set({ copies: next, copyScore: scoreOf(value) ?? copyScore, moveScore })
      },
    },
  ]
}

function ignored(parsed: BlameArgs): Option[] {
  return [
    {
      ...{ long: 'ignore-rev', value: 'required', negatable: true },
      set(value = '', negated) {
        if (negated) parsed.ignored = []
        else parsed.ignored.push(value)
      },
    },
    {
      ...{ long: 'ignore-revs-file', value: 'required', negatable: true },
      set(value = '', negated) {
        // An empty name clears those before it.
        if (negated || value === '') parsed.ignoredFiles = parsed.configuredFiles = []
        else parsed.ignoredFiles.push(value)
      },
    },
  ]
}

/** How many letters and digits lines must have more than, by default. */
const [MOVED, COPIED] = [20, 40]

/** Returns the number that is given; one that is no number counts as none. */
function scoreOf(value: string | undefined): number | undefined {
  const number = /^\d{1,9}$/.test(value ?? '') ? Number(value) : 0
  return number || undefined
}

function ageOf(name: string, value: string): number | undefined {
  const isDate = name !== 'max-age'
  if (isDate && !/^@?\d{9,}$/.test(value)) {
    throw fatal(`packlens blame takes seconds only, not --${name}=${value}`)
  }
  const seconds = secondsOf(isDate ? value.replace('@', '') : value)
  if (seconds === null) throw fatal(`'${value}': not a number of seconds since epoch`)
  // A negative number means that the option is not set.
  return seconds < 0 ? undefined : seconds
}

function digitsOf(value: string | undefined): number | null {
  if (value === undefined) return null
  if (!/^[+-]?\d+$/.test(value)) {
    throw new Exit(129, "error: option `abbrev' expects a numerical value\n")
  }
  const digits = Number(value)
  return digits === 0 ? 0 : Math.max(digits, 4)
}

/** The options that git has and packlens lacks, with those that take a value. */
const UNSUPPORTED: readonly Option[] = [
  unsupported({ short: 'S', value: 'required' }),
  ...['contents', 'until', 'before', 'min-age'].map(withValue),
  ...['score-debug', 'show-stats'].map(alone),
  ...['not', 'all', 'branches', 'tags', 'remotes', 'patience', 'histogram'].map(alone),
]

function withValue(long: string): Option {
  return unsupported({ long, value: 'required' })
}

function alone(long: string): Option {
  return unsupported({ long })
}

function unsupported(option: Omit<Option, 'set'>): Option {
  const name = option.long === undefined ? `-${option.short}` : `--${option.long}`
  return {
    ...option,
    set: () => {
      throw fatal(`packlens blame does not support ${name}`)
    },
  }
}

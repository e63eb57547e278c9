/** The options of `git diff` that commands share: how texts are compared, and what is printed. */
import type { PatchesQuestion } from '../../../base/protocol.js'
import { encodeNames } from '../../../base/specs.js'
import { MAX_SCORE } from '../../../objects/change.js'
import type { Option } from '../args/options.js'
import { Exit, fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { Lines } from '../base/output.js'
import { type ColorArgs, colorOption, paletteOf } from '../color/color-args.js'
import type { Palette } from '../color/palette.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'
import { type ChangeOrder, orderOptions, readOrder } from './change-order.js'
import { type DepthArgs, depthAsked, depthOption } from './depth-args.js'
import { type DiffFilter, parseDiffFilter } from './diff-filter.js'
import type { StatWidths } from './diff-stat.js'
import { DIRSTAT, type DirStat, dirStatOf } from './dirstat.js'
import { type MovedArgs, movedOptions } from './moved-args.js'
import { markOptions, type PatchMarks, PLAIN_MARKS } from './patch-text.js'
import { pickaxeOptions } from './pickaxe-args.js'
import { prefixOf, type RelativeArgs, relativeOption } from './relative-args.js'
import { soughtOption } from './sought-objects.js'
import { ADDED, type LineKind, spaceErrorOption } from './space-error-args.js'
import { type WordsAsked, wordOptions } from './word-args.js'

/** What is printed of each change. */
export interface DiffArgs extends ColorArgs, DepthArgs, MovedArgs, RelativeArgs {
  raw: boolean
  patch: boolean
  numstat: boolean
  stat: boolean
  shortstat: boolean
  summary: boolean
  /** `--stat` says which files are new, gone, or have another mode. */
  compactSummary: boolean
  statWidths: StatWidths
  /** How many files `--stat` lists; 0 for all. */
  statCount: number
  /** Shares of directories; `null` if they are not printed. */
  dirStat: DirStat | null
  /** What `--dirstat` begins with. */
  dirStatDefault: DirStat
  /** Whether errors of white space were found; `null` if they are not looked for. */
  check: { hasErrors: boolean } | null
  nameOnly: boolean
  nameStatus: boolean
  nulTerminated: boolean
  /** Ids in a patch have all digits. */
  fullIndex: boolean
  /** The digits of shown ids: `null` for the default, 0 to choose by the repository's size. */
  digits: number | null
  text: Pick<
    PatchesQuestion,
    | 'algorithm'
    | 'ignoreBlankLines'
    | 'withoutIndentHeuristic'
    | 'context'
    | 'interHunk'
    | 'irreversibleDelete'
    | 'functionContext'
    | 'binary'
  >
  /** The same where no option says it. */
  defaultDigits: number | null
  /** How words of changed lines are compared. */
  words: WordsAsked
  /** The colors of output; `null` for none. Options decide only when: see {@link settle}. */
  palette: Palette | null
  /** The lines whose errors of white space have a color. */
  spaceErrors: ReadonlySet<LineKind>
  /** What each line of output begins with, one character per byte. */
  linePrefix: string
  /** What is printed before paths and lines. */
  marks: PatchMarks
  /** Changes of lines with these expressions do not count. */
  ignoredLines: string[]
  /** The new tree is compared with the old one. */
  reverse: boolean
  spaces: Set<keyof typeof SPACES>
  renames: RenamesAsked
  /** Which changes are printed, by their contents. */
  pickaxe: PickaxeAsked
  /** Names of objects: other changes are not printed. */
  sought: string[]
  /** Merges are printed with the path in each parent: `--combined-all-paths`. */
  namesParents: boolean
  /** Which kinds of changes are printed. */
  filter?: DiffFilter | null
  /** Whether {@link DiffArgs.filter} looks at kinds, not only at objects. */
  choosesKinds?: boolean
  /** In which order changes are printed, if not in that of their paths. */
  order?: ChangeOrder
  /** The path is followed to the file that it was renamed or copied from. */
  follow?: boolean
  /** What limits the comparison, as the core takes it. */
  pathspec?: Uint8Array
}

/** How renames are found, as the core takes it. */
export type RenamesAsked = Pick<
  PatchesQuestion,
  'renames' | 'renameScore' | 'renameLimit' | 'skipsEmpty' | 'splitScore' | 'rewrittenScore'
>

/** Kinds of white space that do not count; the first that is given decides. */
const SPACES = {
  'ignore-all-space': 'all',
  'ignore-space-change': 'amount',
  'ignore-space-at-eol': 'at-eol',
  'ignore-cr-at-eol': 'cr-at-eol',
} as const

/** Options of revisions that `diff` and `diff-tree` take for the pickaxe only. */
export function caseOption(args: DiffArgs): Option {
  const set = () => {
    args.pickaxe = { ...args.pickaxe, pickaxeIgnoresCase: true }
  }
  return { short: 'i', long: 'regexp-ignore-case', set }
}

export function newDiffArgs(): DiffArgs {
  return {
    ...{ raw: false, patch: false, numstat: false, nameOnly: false, nameStatus: false },
    ...{ stat: false, shortstat: false, summary: false, statCount: 0 },
    compactSummary: false,
    ...{ dirStat: null, dirStatDefault: DIRSTAT, check: null },
    statWidths: { width: 0, name: 0, graph: 0 },
    ...{ nulTerminated: false, fullIndex: false, digits: null, defaultDigits: 0 },
    text: {},
    words: {},
    ...{ colorWhen: 'auto', palette: null, marks: PLAIN_MARKS, spaceErrors: ADDED, linePrefix: '' },
    spaces: new Set(),
    ...{ ignoredLines: [], reverse: false, relative: { isOn: false, prefix: '' } },
    moved: { mode: null, space: null },
    maxDepth: null,
    renames: {},
    ...{ pickaxe: {}, sought: [] },
    namesParents: false,
  }
}

/** Returns whether a format was chosen; of names and checks, only one is printed, and alone. */
export function hasFormat(args: DiffArgs): boolean {
  const { check, nameOnly, nameStatus } = args
  const alone = [nameOnly, nameStatus, check].filter(Boolean)
  if (alone.length > 1) {
    const names = ['name-only', 'name-status', ...(check ? ['check'] : [])]
    const given = names.filter(
      (name) => name === 'check' || (name === 'name-only' ? nameOnly : nameStatus),
    )
    const shown = given.map((name) => `'--${name}'`)
    const list = shown.length > 2 ? `${shown.slice(0, -1).join(', ')}, and` : `${shown[0]} and`
    throw fatal(`options ${list} ${shown.at(-1)} cannot be used together`)
  }
  if (alone.length > 0) {
    args.raw = args.patch = args.numstat = args.stat = args.shortstat = args.summary = false
    args.dirStat = null
  }
  const { raw, patch, numstat, stat, shortstat, summary, dirStat } = args
  const others = raw || patch || numstat || stat || shortstat || summary || dirStat !== null
  return others || alone.length > 0
}

/** Takes back the formats that were chosen, as `-s` does; a later option may choose others. */
export function clearFormats(args: DiffArgs): void {
  args.raw = args.patch = args.numstat = args.stat = args.shortstat = args.summary = false
  args.nameOnly = args.nameStatus = false
  args.dirStat = args.check = null
}

/** What contents must have, as the core takes it. */
export type PickaxeAsked = Pick<
  PatchesQuestion,
  'pickaxe' | 'pickaxeText' | 'pickaxeIgnoresCase' | 'pickaxeAll'
>

/** Fails if the path in each parent was asked for, and merges are not compared with all parents. */
export function refuseParentPaths({ namesParents }: DiffArgs, isCombined: boolean): void {
  if (!namesParents || isCombined) return
  throw fatal('--combined-all-paths makes no sense without -c or --cc')
}

/** Returns the question about patches, without the trees. */
export function patchesAsked(args: DiffArgs): Omit<PatchesQuestion, 'old' | 'new'> {
  const names = Object.keys(SPACES) as (keyof typeof SPACES)[]
  const space = names.find((name) => args.spaces.has(name))
  const abbrev = abbrevAsked({ ...args, digits: args.digits || args.defaultDigits })
  const ignored = args.ignoredLines.map((line) => toBytes(bytesOfArgument(line)))
  const ignoredLines = ignored.length > 0 ? encodeNames(ignored) : undefined
  const texts = { ...args.text, ignoredLines, whitespace: space && SPACES[space] }
  const { follow, pathspec, reverse } = args
  const words = { ...args.words, wordColors: args.palette !== null }
  const relative = toBytes(prefixOf(args))
  const limits = { pathspec, follow, reverse, relative, maxDepth: depthAsked(args) }
  const chosen = { ...args.renames, ...args.pickaxe, ...limits }
  return { kind: 'patches', ...texts, ...words, ...chosen, abbrev }
}

/** Returns where changes are printed. */
export function outputOf(args: DiffArgs, io: Io): Lines {
  if (args.linePrefix !== '' && args.nulTerminated) {
    throw fatal('packlens does not support --line-prefix with -z')
  }
  const lines = new Lines(io)
  lines.prefix = args.linePrefix
  lines.keepsColors = args.palette !== null
  return lines
}

/** Returns the digits of ids in patches, as the core takes them. */
export function abbrevAsked({ fullIndex, digits }: Pick<DiffArgs, 'fullIndex' | 'digits'>) {
  return fullIndex ? undefined : (digits ?? undefined)
}

export function diffOptions(args: DiffArgs): Option[] {
  const text = (change: DiffArgs['text']) => {
    args.text = { ...args.text, ...change }
  }
  const shows = (what: Pick<Option, 'long' | 'short'>, change: Partial<DiffArgs>): Option => ({
    ...what,
    set: () => Object.assign(args, change),
  })
  const algorithm = (long: string, value: DiffArgs['text']['algorithm']): Option => ({
    long,
    set: () => text({ algorithm: value }),
  })
  const space = (long: keyof typeof SPACES, short?: string): Option => ({
    ...(short ? { short } : {}),
    long,
    set: () => args.spaces.add(long),
  })
  return [
    shows({ short: 'p', long: 'patch' }, { patch: true }),
    shows({ short: 'u' }, { patch: true }),
    shows({ long: 'raw' }, { raw: true }),
    shows({ long: 'patch-with-raw' }, { raw: true, patch: true }),
    shows({ long: 'numstat' }, { numstat: true }),
    ...statOptions(args),
    { long: 'check', set: () => (args.check = { hasErrors: false }) },
    shows({ long: 'name-only' }, { nameOnly: true }),
    shows({ long: 'name-status' }, { nameStatus: true }),
    shows({ short: 'z' }, { nulTerminated: true }),
    shows({ long: 'full-index' }, { fullIndex: true }),
    {
      long: 'abbrev',
      value: 'optional',
      negatable: true,
      set: (value, negated) => {
        args.digits = negated ? null : value === undefined ? 0 : Math.max(count(value, 'abbrev'), 4)
      },
    },
    {
      short: 'U',
      long: 'unified',
      value: 'optional',
      set: (value) => {
        // Without a number the lines stay as they are: a patch is asked for.
        if (value !== undefined) text({ context: count(value, 'unified') })
        args.patch = true
      },
    },
    {
      long: 'inter-hunk-context',
      value: 'required',
      set: (value = '') => text({ interHunk: count(value, 'inter-hunk-context') }),
    },
    algorithm('minimal', 'minimal'),
    algorithm('patience', 'patience'),
    algorithm('histogram', 'histogram'),
    {
      long: 'diff-algorithm',
      value: 'required',
      set: (value = '') => text({ algorithm: algorithmOf(value) }),
    },
    space('ignore-all-space', 'w'),
    space('ignore-space-change', 'b'),
    space('ignore-space-at-eol'),
    space('ignore-cr-at-eol'),
    ...renameOptions(args),
    ...pickaxeOptions(args),
    soughtOption(args),
    ...wordOptions(args),
    ...markOptions(args),
    {
      ...{ long: 'line-prefix', value: 'required' },
      set: (value = '') => (args.linePrefix = bytesOfArgument(value)),
    },
    ...orderOptions(args),
    relativeOption(args),
    depthOption(args),
    ...['ext-diff', 'textconv'].map((name) => ({ long: `no-${name}`, set: () => undefined })),
    colorOption(args),
    ...movedOptions(args),
    spaceErrorOption(args),
    {
      ...{ long: 'diff-filter', value: 'required' },
      set: (value = '') => (args.filter = parseDiffFilter(value)),
    },
    {
      ...{ short: 'I', long: 'ignore-matching-lines', value: 'required' },
      set: (value = '') => args.ignoredLines.push(value),
    },
    shows({ short: 'R' }, { reverse: true }),
    {
      ...{ short: 'D', long: 'irreversible-delete' },
      set: () => text({ irreversibleDelete: true }),
    },
    {
      ...{ short: 'W', long: 'function-context', negatable: true },
      set: (_, negated) => text({ functionContext: !negated }),
    },
    {
      long: 'binary',
      set() {
        text({ binary: true })
        args.patch = true
      },
    },
    { long: 'ignore-blank-lines', set: () => text({ ignoreBlankLines: true }) },
    {
      long: 'indent-heuristic',
      negatable: true,
      set: (_, negated) => text({ withoutIndentHeuristic: negated }),
    },
  ]
}

/**
 * Reads what options name or leave open: the order file, and whether output has colors. `isStrict`
 * as in {@link ChangeOrder}.
 */
export function settle(
  args: DiffArgs,
  io: Io,
  { palette, isStrict }: { palette: Palette; isStrict: boolean },
): void {
  args.palette = paletteOf(args, io, palette)
  if (args.digits === 0) args.digits = args.defaultDigits
  readOrder(args, io, isStrict)
}

function statOptions(args: DiffArgs): Option[] {
  const widths = (change: Partial<StatWidths>) => {
    args.stat = true
    args.statWidths = { ...args.statWidths, ...change }
  }
  const width = (long: string, name: keyof StatWidths): Option => ({
    ...{ long, value: 'required' },
    set: (value = '') => widths({ [name]: count(value, long) }),
  })
  return [
    {
      ...{ long: 'stat', value: 'optional' },
      set(value) {
        const [all = '', ...rest] = value?.split(',') ?? []
        const [name, most] = rest
        if (rest.length > 2) throw new Exit(129, `error: invalid --stat value: ${value}\n`)
        widths(all === '' ? {} : { width: count(all, 'stat') })
        if (name !== undefined) widths({ name: count(name, 'stat') })
        if (most !== undefined) args.statCount = count(most, 'stat')
      },
    },
    width('stat-width', 'width'),
    width('stat-name-width', 'name'),
    width('stat-graph-width', 'graph'),
    {
      ...{ long: 'stat-count', value: 'required' },
      set(value = '') {
        widths({})
        args.statCount = count(value, 'stat-count')
      },
    },
    { long: 'shortstat', set: () => (args.shortstat = true) },
    { long: 'summary', set: () => (args.summary = true) },
    {
      ...{ long: 'compact-summary', negatable: true },
      set(_, negated) {
        args.compactSummary = !negated
        if (!negated) args.stat = true
      },
    },
    ...dirStatOptions(args),
    { long: 'patch-with-stat', set: () => (args.patch = args.stat = true) },
  ]
}

function dirStatOptions(args: DiffArgs): Option[] {
  const set = (parameters: string) => {
    args.dirStat = dirStatOf(args.dirStat ?? args.dirStatDefault, parameters)
  }
  return [
    { ...{ short: 'X', long: 'dirstat', value: 'optional' }, set: (value = '') => set(value) },
    { long: 'cumulative', set: () => set('cumulative') },
    {
      ...{ long: 'dirstat-by-file', value: 'optional' },
      set: (value = '') => set(`files${value && `,${value}`}`),
    },
  ]
}

function renameOptions(args: DiffArgs): Option[] {
  const set = (change: RenamesAsked) => {
    args.renames = { ...args.renames, ...change }
  }
  const score = (value: string | undefined, option: string) => {
    const [score, rest] = scoreOf(value ?? '')
    if (rest === '') return score || undefined
    throw new Exit(129, `error: invalid argument to ${option}\n`)
  }
  return [
    { long: 'no-renames', set: () => set({ renames: 'none' }) },
    {
      ...{ short: 'M', long: 'find-renames', value: 'optional' },
      set: (value) => set({ renames: 'renames', renameScore: score(value, 'find-renames') }),
    },
    {
      ...{ short: 'C', long: 'find-copies', value: 'optional' },
      set(value) {
        const isSecond = args.renames.renames?.startsWith('copies')
        const renames = isSecond ? 'copies-of-any' : 'copies'
        set({ renames, renameScore: score(value, 'find-copies') })
      },
    },
    { long: 'find-copies-harder', set: () => set({ renames: 'copies-of-any' }) },
    {
      ...{ short: 'B', long: 'break-rewrites', value: 'optional' },
      set(value = '') {
        const [split, rest] = scoreOf(value)
        const [rewritten, end] = rest.startsWith('/') ? scoreOf(rest.slice(1)) : [0, rest]
        if (end !== '') throw new Exit(129, 'error: break-rewrites expects <n>/<m> form\n')
        set({ splitScore: split || MAX_SCORE / 2, rewrittenScore: rewritten || undefined })
      },
    },
    {
      ...{ short: 'l', value: 'required' },
      set: (value = '') => set({ renameLimit: magnitude(value) }),
    },
    {
      ...{ long: 'rename-empty', negatable: true },
      set: (_, negated) => set({ skipsEmpty: negated }),
    },
  ]
}

/** Parses digits after a decimal point, or a percentage; returns what follows them, too. */
export function scoreOf(text: string): [score: number, rest: string] {
  const [found = '', before = '', after, sign] = /^(\d*)(?:\.(\d*))?(%)?/.exec(text) ?? []
  const rest = text.slice(found.length)
  const digits = after === undefined ? before : after
  const scale = sign ? 10 ** (after ?? '').length * 100 : 10 ** digits.length
  const number = Number(before + (after ?? '') || 0)
  return [Math.min(MAX_SCORE, Math.floor((number * MAX_SCORE) / scale)), rest]
}

/** Parses a number, which may have one of git's units; a negative one is none. */
function magnitude(value: string): number | undefined {
  const [, digits, unit = ''] = /^([-+]?\d{1,9})([kmg]?)$/i.exec(value) ?? []
  if (digits === undefined) {
    const what = 'expects an integer value with an optional k/m/g suffix'
    throw new Exit(129, `error: switch \`l' ${what}\n`)
  }
  const power = ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase())
  const number = Number(digits) * 1024 ** power
  return number < 0 ? undefined : Math.min(number, 0x7fff_ffff)
}

type Algorithm = NonNullable<DiffArgs['text']['algorithm']>

/** Returns the algorithm of a name; `null` if there is none. */
export function algorithmNamed(name: string): Algorithm | null {
  const known = name.toLowerCase()
  if (known === 'default' || known === 'myers') return 'myers'
  return known === 'minimal' || known === 'patience' || known === 'histogram' ? known : null
}

export function algorithmOf(name: string): Algorithm {
  const algorithm = algorithmNamed(name)
  if (algorithm) return algorithm
  const words = '"myers", "minimal", "patience" and "histogram"'
  throw new Exit(129, `error: option diff-algorithm accepts ${words}\n`)
}

function count(value: string, option: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new Exit(129, `error: ${option} expects a numerical value\n`)
}

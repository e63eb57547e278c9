/** `for-each-ref`: lists refs, in any order and any format. */

import { type Option, parseOptions } from '../args/options.js'
import { readRequests } from '../args/requests.js'
import { compileQuickly } from '../base/compiler.js'
import { Exit, fatal, Misused } from '../base/exit.js'
import { Lines } from '../base/output.js'
import { safeOutput, wantsColors } from '../base/terminal.js'
import { type ColorWhen, colorOption } from '../color/color-args.js'
import type { Command, Opened } from '../opening/command.js'
import { readMailmap } from '../pretty/mailmap.js'
import { RefFacts, type RefFactsList } from '../ref-format/ref-atoms.js'
import { RefDistances } from '../ref-format/ref-distances.js'
import { QUOTES, type Quote, refFormat } from '../ref-format/ref-format.js'
import { comparison } from '../ref-format/ref-sort.js'
import { eachRef, type ListedRef, type RefReach } from '../refs/ref-list.js'
import { checkRefname } from '../refs/refname-rules.js'
import { readRef } from '../refs/refnames.js'
import { rootRefs } from '../refs/root-refs.js'
import { commitOf } from '../repository/commits.js'
import { checkedOut } from '../repository/worktrees.js'
import { bytesOfArgument, fromBytes, textOfBytes } from '../text/bytes.js'

const DEFAULT_FORMAT = '%(objectname) %(objecttype)\t%(refname)'

class Flags {
  format = DEFAULT_FORMAT
  count = 0
  ignoreCase = false
  omitEmpty = false
  stdin = false
  includesRoots = false
  colorWhen: ColorWhen = 'auto'
  startAfter: string | undefined
  pointsAt: string | undefined
  readonly sort: string[] = []
  readonly quotes = new Set<Quote>()
  readonly exclude: string[] = []
  /** In the order of the arguments: the first invalid one is reported. */
  readonly reach: { kind: keyof RefReach; name: string }[] = []
}

export function forEachRef(command: Command, args: readonly string[]): number {
  const flags = new Flags()
  const rest = parseOptions(optionsFor(flags), args)
  if (flags.count < 0) {
    throw new Misused(`error: invalid --count argument: \`${flags.count}'\n`)
  }
  if (flags.quotes.size > 1) throw new Misused(`error: more than one quoting style?\n`)
  checkTogether(flags, rest)
  compileQuickly()
  const opened = command.open()
  const patterns = flags.stdin ? patternsFrom(opened) : rest.map(bytesOfArgument)
  const reach = { contains: [], noContains: [], merged: [], noMerged: [] } as Record<
    keyof RefReach,
    string[]
  >
  for (const { kind, name } of flags.reach) reach[kind].push(namedCommit(opened, name, kind))
  const { reader } = opened
  const head = once(() => headOf(opened))
  const [quote = (text: string) => text] = flags.quotes
  // Only values are made safe for a terminal: control characters of the format are the user's.
  const safe = (text: string) => safeOutput(opened.io, text)
  const hasColors =
    flags.colorWhen === 'auto' ? wantsColors(opened.io) : flags.colorWhen === 'always'
  const show = refFormat(flags.format, { quote, safe, head, hasColors })
  const compare = comparison(flags.sort, flags.ignoreCase, head)
  const found: RefFacts[] = []
  const list: RefFactsList = {
    ...{ distances: new RefDistances(reader), listed: found },
    mailmap: once(() => readMailmap(opened)),
    worktrees: once(() => checkedOut(reader, opened.place)),
    selected: [],
    get settings() {
      return opened.settings
    },
  }
  const pointsAt = flags.pointsAt === undefined ? undefined : namedObject(opened, flags.pointsAt)
  const { ignoreCase, exclude } = flags
  const badNames = pointsAt === undefined
  const add = (ref: ListedRef) => {
    if (flags.startAfter !== undefined && ref.name <= flags.startAfter) return
    if (ref.oid !== null) found.push(new RefFacts(reader, list, ref, ref.oid))
    // git skips symbolic refs with a missing target, without a warning.
    else if (ref.target === null) warn(opened, ref)
  }
  if (flags.includesRoots) {
    if (flags.reach.length > 0) {
      throw fatal('packlens for-each-ref does not support --include-root-refs with such an option')
    }
    const roots = rootRefs(opened, { patterns, exclude, ignoreCase })
    for (const ref of roots) if (pointsAt === undefined || pointsAt === ref.oid) add(ref)
  }
  eachRef(reader, { patterns, exclude, pointsAt, reach, badNames, ignoreCase }, add)
  list.selected = [...found]
  const isPlain = flags.sort.length === 0 && !flags.ignoreCase
  const sorted = isPlain ? found : found.sort(compare)
  list.listed = flags.count > 0 ? sorted.slice(0, flags.count) : sorted
  const lines = new Lines(opened.io)
  try {
    for (const facts of list.listed) {
      const shown = show(facts)
      if (shown !== '' || !flags.omitEmpty) lines.addUnchanged(`${shown}\n`)
    }
  } finally {
    lines.flush()
  }
  return 0
}

function optionsFor(flags: Flags): Option[] {
  const quote = (name: keyof typeof QUOTES, short?: string): Option => ({
    ...(short === undefined ? {} : { short }),
    long: name,
    negatable: true,
    set: (_, negated) => {
      if (negated) flags.quotes.delete(QUOTES[name])
      else flags.quotes.add(QUOTES[name])
    },
  })
  const reach = (kind: keyof RefReach): Option => ({
    long: OPTIONS[kind],
    // git takes HEAD if no argument follows; here `parseOptions` refuses that before.
    value: 'required',
    set: (name = 'HEAD') => flags.reach.push({ kind, name }),
  })
  return [
    quote('shell', 's'),
    quote('perl', 'p'),
    quote('python'),
    quote('tcl'),
    {
      long: 'count',
      value: 'required',
      set: (value = '') => {
        if (!/^-?\d+$/.test(value)) {
          throw new Exit(129, "error: option `count' expects a numerical value\n")
        }
        flags.count = Number(value)
      },
    },
    {
      long: 'format',
      value: 'required',
      set: (value = '') => {
        flags.format = bytesOfArgument(value)
      },
    },
    {
      long: 'sort',
      value: 'required',
      negatable: true,
      set: (value = '', negated) => {
        if (negated) flags.sort.length = 0
        else flags.sort.push(bytesOfArgument(value))
      },
    },
    {
      long: 'points-at',
      value: 'required',
      set: (value) => {
        if (flags.pointsAt !== undefined) {
          throw fatal('packlens for-each-ref takes --points-at once')
        }
        flags.pointsAt = value
      },
    },
    reach('merged'),
    reach('noMerged'),
    reach('contains'),
    reach('noContains'),
    {
      long: 'exclude',
      value: 'required',
      negatable: true,
      set: (value = '', negated) => {
        if (negated) flags.exclude.length = 0
        else flags.exclude.push(bytesOfArgument(value))
      },
    },
    {
      long: 'ignore-case',
      negatable: true,
      set: (_, negated) => {
        flags.ignoreCase = !negated
      },
    },
    {
      long: 'omit-empty',
      negatable: true,
      set: (_, negated) => {
        flags.omitEmpty = !negated
      },
    },
    {
      long: 'stdin',
      negatable: true,
      set: (_, negated) => {
        flags.stdin = !negated
      },
    },
    {
      long: 'start-after',
      value: 'required',
      negatable: true,
      set: (value = '', negated) => {
        flags.startAfter = negated ? undefined : bytesOfArgument(value)
      },
    },
    colorOption(flags),
    {
      long: 'include-root-refs',
      negatable: true,
      set: (_, negated) => {
        flags.includesRoots = !negated
      },
    },
  ]
}

/** @throws Exit for options that cannot be combined */
function checkTogether({ stdin, startAfter, sort }: Flags, patterns: readonly string[]): void {
  if (stdin && patterns.length > 0) throw fatal('unknown arguments supplied with --stdin')
  if (startAfter === undefined) return
  if (sort.length > 0) throw fatal('cannot use --start-after with custom sort options')
  if (patterns.length > 0) throw fatal('cannot use --start-after with patterns')
}

/** Reads patterns from standard input; an empty line is a pattern that matches no ref. */
function patternsFrom({ io }: Opened): string[] {
  const patterns: string[] = []
  for (const line of readRequests(io, false)) patterns.push(fromBytes(line))
  return patterns
}

/** Warns that a ref is ignored, as git does. */
function warn({ io }: Opened, { name }: ListedRef): void {
  const what = checkRefname(name, { oneLevel: true }) === null
  io.writeError(
    `warning: ignoring ${what ? 'ref with broken name' : 'broken ref'} ${textOfBytes(name)}\n`,
  )
}

function namedObject({ reader }: Opened, name: string): string {
  const oid = reader.find(bytesOfArgument(name))
  if (oid === null) throw new Exit(129, `error: malformed object name '${name}'\n`)
  return oid
}

const OPTIONS = {
  contains: 'contains',
  noContains: 'no-contains',
  merged: 'merged',
  noMerged: 'no-merged',
} as const satisfies Record<keyof RefReach, string>

function namedCommit(opened: Opened, name: string, kind: keyof RefReach): string {
  const isMerged = kind === 'merged' || kind === 'noMerged'
  const oid = opened.reader.find(bytesOfArgument(name))
  if (oid === null) {
    if (isMerged) throw fatal(`malformed object name ${name}`)
    throw new Exit(129, `error: malformed object name ${name}\n`)
  }
  const commit = commitOf(opened, oid)
  if (commit !== null) return commit
  if (isMerged) throw new Exit(129, `error: option \`${OPTIONS[kind]}' must point to a commit\n`)
  throw new Exit(129, `error: no such commit ${name}\n`)
}

/** Returns the full name of the branch that is checked out; `null` for a detached HEAD. */
function headOf({ reader }: Opened): string | null {
  const target = readRef(reader, 'HEAD')?.target ?? null
  return target === null ? null : bytesOfArgument(target)
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** `describe`: names commits after the most recent tags that they reach. */
import type { DescribeQuestion } from '../../../base/protocol.js'
import { decodeDescription } from '../../../objects/description.js'
import { type Option, parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { Exit, fatal } from '../base/exit.js'
import { gitMessageOf, isNoDescription } from '../base/git-messages.js'
import type { Command, Opened } from '../opening/command.js'
import { firstPlaceOf } from '../revisions/describe-blob.js'
import { bytesOfArgument, fromBytes, textOfBytes, toBytes } from '../text/bytes.js'
import { integerOf } from '../text/numbers.js'
import { sizeOf } from '../text/sizes.js'
import { type NameRevFlags, printNames } from './name-rev.js'

const CANDIDATES = 10
const LEAST_DIGITS = 4
/** More than any id has. */
const MOST_DIGITS = 64
const MOST_CANDIDATES = 2 ** 31 - 1

/** The options of a command line; names are bytes. */
interface Parsed {
  contains: boolean
  tags: boolean
  all: boolean
  long: boolean
  firstParent: boolean
  always: boolean
  abbrev: number | undefined
  candidates: number
  match: string[]
  exclude: string[]
}

export function describe(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    contains: false,
    tags: false,
    all: false,
    long: false,
    firstParent: false,
    always: false,
    abbrev: undefined,
    candidates: CANDIDATES,
    match: [],
    exclude: [],
  }
  const rest = parseOptions(optionsOf(parsed), args)
  if (parsed.long && parsed.abbrev === 0) {
    throw fatal("options '--long' and '--abbrev=0' cannot be used together")
  }
  compileQuickly()
  const opened = command.open()
  if (parsed.contains) {
    printNames(opened, rest.length > 0 ? rest : ['HEAD'], containing(parsed))
    return 0
  }
  const warned = new Set<string>()
  for (const arg of rest.length > 0 ? rest : ['HEAD']) {
    describeOne(opened, bytesOfArgument(arg), parsed, warned)
  }
  return 0
}

/** Returns how `name-rev` names commits for `--contains`, which ignores the other options. */
function containing({ all, always, match, exclude }: Parsed): NameRevFlags {
  const globs = (patterns: readonly string[]) => {
    const prefixes = all ? ['refs/heads/', 'refs/tags/', 'refs/remotes/'] : ['refs/tags/']
    return patterns.flatMap((pattern) => prefixes.map((prefix) => prefix + pattern))
  }
  const names = { nameOnly: true, undefinedNames: false, peelTags: true }
  return { ...names, tags: !all, always, refs: globs(match), exclude: globs(exclude) }
}

function optionsOf(parsed: Parsed): Option[] {
  const flag = (
    long: string,
    name: 'tags' | 'all' | 'long' | 'firstParent' | 'always',
  ): Option => ({
    long,
    negatable: true,
    set: (_, negated) => {
      parsed[name] = !negated
    },
  })
  const globs = (name: 'match' | 'exclude'): Option => ({
    long: name,
    value: 'required',
    negatable: true,
    set: (value = '', negated) => {
      if (negated) parsed[name] = []
      else parsed[name].push(bytesOfArgument(value))
    },
  })
  const missing = (long: string, value?: 'optional'): Option => ({
    long,
    ...(value ? { value } : {}),
    negatable: true,
    set: (_, negated) => {
      if (!negated) throw fatal(`packlens describe does not support --${long}`)
    },
  })
  return [
    {
      long: 'contains',
      negatable: true,
      set: (_, negated) => {
        parsed.contains = !negated
      },
    },
    missing('debug'),
    flag('all', 'all'),
    flag('tags', 'tags'),
    flag('long', 'long'),
    flag('first-parent', 'firstParent'),
    {
      long: 'abbrev',
      value: 'optional',
      negatable: true,
      set: (value, negated) => {
        parsed.abbrev = negated ? 0 : digitsOf(value)
      },
    },
    {
      long: 'exact-match',
      negatable: true,
      set: (_, negated) => {
        parsed.candidates = negated ? CANDIDATES : 0
      },
    },
    {
      long: 'candidates',
      value: 'required',
      negatable: true,
      set: (value = '', negated) => {
        parsed.candidates = negated ? 0 : candidatesOf(value)
      },
    },
    globs('match'),
    globs('exclude'),
    flag('always', 'always'),
    missing('dirty', 'optional'),
    missing('broken', 'optional'),
  ]
}

function digitsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const digits = integerOf(value)
  if (digits === null) throw new Exit(129, "error: option `abbrev' expects a numerical value\n")
  return digits === 0 ? 0 : Math.min(Math.max(digits, LEAST_DIGITS), MOST_DIGITS)
}

function candidatesOf(value: string): number {
  const isNegative = /^\s*-/.test(value)
  const count = sizeOf(isNegative ? value.replace('-', '') : value)
  if (count <= MOST_CANDIDATES) return isNegative ? 0 : count
  const what = "option `candidates' expects an integer value with an optional k/m/g suffix"
  throw new Exit(129, `error: ${what}\n`)
}

/** Prints the line of a commit, with `end`. A tag whose name differs from its ref's is reported once. */
function describeOne(
  opened: Opened,
  arg: string,
  parsed: Parsed,
  warned: Set<string>,
  end = '\n',
): void {
  const { io, names, reader } = opened
  const { match, exclude, contains: _, ...flags } = parsed
  const question: DescribeQuestion = {
    kind: 'describe',
    spec: toBytes(arg),
    ...flags,
    matching: reader.specs(match),
    exclude: reader.specs(exclude),
  }
  try {
    reader.pages(question, (page) => {
      names.warn(arg)
      const { isMisnamed, ref, name, text } = decodeDescription(new Uint8Array(page))
      const path = fromBytes(ref).slice((parsed.all ? 'refs/' : 'refs/tags/').length)
      if (isMisnamed && !warned.has(path)) {
        warned.add(path)
        const own = fromBytes(name).slice(parsed.all ? 'tags/'.length : 0)
        const what = `warning: tag '${path}' is externally known as '${own}'\n`
        io.writeError(Buffer.from(what, 'latin1').toString())
      }
      io.write(Buffer.concat([text, Buffer.from(end, 'latin1')]))
    })
  } catch (error) {
    if (isNoDescription(error)) {
      names.warn(arg)
      throw fatal(gitMessageOf(error))
    }
    const blob = reader.find(arg, true)
    if (blob === null || reader.info(blob)?.type !== 'blob') throw undescribed(opened, arg, error)
    names.warn(arg)
    if (reader.find('HEAD') === null) {
      throw fatal(`cannot search for blob '${blob}' on an unborn branch`)
    }
    const place = firstPlaceOf(reader, blob)
    if (place === null) throw fatal(`blob '${blob}' not reachable from HEAD`)
    describeOne(opened, place.commit, parsed, warned, `:${place.path}\n`)
  }
}

/** Returns git's error for a revision that is no commit. */
function undescribed({ names, reader }: Opened, arg: string, error: unknown): unknown {
  const { errors } = names.diagnose(arg, error)
  const oid = reader.find(arg, true)
  if (oid === null) return names.invalid(arg, errors)
  return fatal(`${textOfBytes(arg)} is neither a commit nor blob`)
}

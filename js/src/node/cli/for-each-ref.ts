/** `for-each-ref`: tells of refs, in any order and any format. */
import { MERGE_BASES } from '../../history.js'
import { bytesOfArgument, textOfBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { Exit, fatal } from './exit.js'
import { type Option, parseOptions } from './options.js'
import { Lines } from './output.js'
import { RefFacts } from './ref-atoms.js'
import { QUOTES, type Quote, refFormat } from './ref-format.js'
import { eachRef, type ListedRef } from './ref-list.js'
import { comparison } from './ref-sort.js'
import { checkRefname } from './refname-rules.js'
import { readRef } from './refnames.js'

const USAGE = `usage: packlens for-each-ref [<options>] [<pattern>]
   or: packlens for-each-ref [--points-at <object>]
   or: packlens for-each-ref [--merged [<commit>]] [--no-merged [<commit>]]
   or: packlens for-each-ref [--contains [<commit>]] [--no-contains [<commit>]]

    -s, --shell           quote placeholders suitably for shells
    -p, --perl            quote placeholders suitably for perl
    --python              quote placeholders suitably for python
    --tcl                 quote placeholders suitably for Tcl

    --count <n>           show only <n> matched refs
    --format <format>     format to use for the output
    --sort <key>          field name to sort on
    --points-at <object>  print only refs which points at the given object
    --merged <commit>     print only refs that are merged
    --no-merged <commit>  print only refs that are not merged
    --contains <commit>   print only refs which contain the commit
    --no-contains <commit>
                          print only refs which don't contain the commit
    --ignore-case         sorting and filtering are case insensitive

`

const DEFAULT_FORMAT = '%(objectname) %(objecttype)\t%(refname)'

/** A commit, and whether refs that lead to it, or that it leads to, are shown. */
interface Reach {
  readonly kind: 'contains' | 'merged'
  readonly wanted: boolean
  readonly commit: string
}

class Wishes {
  format = DEFAULT_FORMAT
  count = 0
  ignoreCase = false
  pointsAt: string | undefined
  readonly sort: string[] = []
  readonly quotes = new Set<Quote>()
  readonly reach: { kind: Reach['kind']; wanted: boolean; name: string }[] = []
}

export function forEachRef(command: Command, args: readonly string[]): number {
  const wishes = new Wishes()
  const patterns = parseOptions(optionsFor(wishes), args, USAGE).map(bytesOfArgument)
  if (wishes.count < 0) {
    throw new Exit(129, `error: invalid --count argument: \`${wishes.count}'\n${USAGE}`)
  }
  if (wishes.quotes.size > 1) throw new Exit(129, `error: more than one quoting style?\n${USAGE}`)
  const opened = command.open()
  const reach = wishes.reach.map(({ kind, wanted, name }) => {
    return { kind, wanted, commit: namedCommit(opened, name, kind, wanted) }
  })
  const { reader } = opened
  const head = once(() => headOf(opened))
  const [quote = (text: string) => text] = wishes.quotes
  const show = refFormat(wishes.format, quote, head, USAGE)
  const compare = comparison(wishes.sort, wishes.ignoreCase, head)
  const found: RefFacts[] = []
  const pointsAt = wishes.pointsAt === undefined ? undefined : namedObject(opened, wishes.pointsAt)
  const { ignoreCase } = wishes
  eachRef(reader, { patterns, pointsAt, badNames: pointsAt === undefined, ignoreCase }, (ref) => {
    if (ref.oid === null) {
      // Symbolic refs that lead nowhere are nothing to git.
      if (ref.target === null) warn(opened, ref)
    } else if (reach.every((one) => fits(opened, ref.oid, one))) {
      found.push(new RefFacts(reader, ref, ref.oid))
    }
  })
  const isPlain = wishes.sort.length === 0 && !wishes.ignoreCase
  const sorted = isPlain ? found : found.sort(compare)
  const lines = new Lines(opened.io)
  try {
    for (const facts of wishes.count > 0 ? sorted.slice(0, wishes.count) : sorted) {
      lines.add(`${show(facts)}\n`)
    }
  } finally {
    lines.flush()
  }
  return 0
}

function optionsFor(wishes: Wishes): Option[] {
  const quote = (name: keyof typeof QUOTES, short?: string): Option => ({
    ...(short === undefined ? {} : { short }),
    long: name,
    negatable: true,
    set: (_, negated) => {
      if (negated) wishes.quotes.delete(QUOTES[name])
      else wishes.quotes.add(QUOTES[name])
    },
  })
  const reach = (long: string, kind: Reach['kind'], wanted: boolean): Option => ({
    long,
    // git's own way: with nothing behind, the commit is that of HEAD.
    value: 'required',
    set: (name = 'HEAD') => wishes.reach.push({ kind, wanted, name }),
  })
  const unsupported = (long: string): Option => ({
    long,
    value: 'optional',
    set: () => {
      throw fatal(`packlens for-each-ref cannot do --${long}`)
    },
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
        wishes.count = Number(value)
      },
    },
    {
      long: 'format',
      value: 'required',
      set: (value = '') => {
        wishes.format = bytesOfArgument(value)
      },
    },
    {
      long: 'sort',
      value: 'required',
      negatable: true,
      set: (value = '', negated) => {
        if (negated) wishes.sort.length = 0
        else wishes.sort.push(bytesOfArgument(value))
      },
    },
    {
      long: 'points-at',
      value: 'required',
      set: (value) => {
        if (wishes.pointsAt !== undefined) {
          throw fatal('packlens for-each-ref takes --points-at once')
        }
        wishes.pointsAt = value
      },
    },
    reach('merged', 'merged', true),
    reach('no-merged', 'merged', false),
    reach('contains', 'contains', true),
    reach('no-contains', 'contains', false),
    {
      long: 'ignore-case',
      negatable: true,
      set: (_, negated) => {
        wishes.ignoreCase = !negated
      },
    },
    unsupported('color'),
    unsupported('stdin'),
    unsupported('exclude'),
    unsupported('omit-empty'),
    unsupported('include-root-refs'),
    unsupported('start-after'),
  ]
}

/** Says why a ref is passed over, as git does. */
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

function namedCommit(
  { reader }: Opened,
  name: string,
  kind: Reach['kind'],
  wanted: boolean,
): string {
  const option = `${wanted ? '' : 'no-'}${kind}`
  const oid = reader.find(bytesOfArgument(name))
  if (oid === null) {
    if (kind === 'merged') throw fatal(`malformed object name ${name}`)
    throw new Exit(129, `error: malformed object name ${name}\n`)
  }
  const commit = reader.find(`${oid}^{commit}`)
  if (commit !== null) return commit
  if (kind === 'merged') throw new Exit(129, `error: option \`${option}' must point to a commit\n`)
  throw new Exit(129, `error: no such commit ${name}\n`)
}

/** Tells whether a ref leads to a commit that is reached, or not, as it should. */
function fits({ reader }: Opened, oid: string | null, { kind, wanted, commit }: Reach): boolean {
  const own = reader.find(`${oid}^{commit}`)
  if (own === null) return false
  const [below, above] = kind === 'contains' ? [commit, own] : [own, commit]
  return (reader.mergeBases([below, above], MERGE_BASES.ancestor) === '1') === wanted
}

/** Returns the branch that is checked out. */
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

/** `name-rev`: names commits after refs that reach them. */
import { decodeRefNames, type NamedAfter } from '../../../objects/ref-name.js'
import { type Option, parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { fatal, Misused } from '../base/exit.js'
import { Lines } from '../base/output.js'
import type { Command, Opened } from '../opening/command.js'
import { shortenRefname } from '../refs/refnames.js'
import { allCommits, annotate } from '../revisions/name-rev-lists.js'
import { bytesOfArgument, fromBytes, textOfBytes } from '../text/bytes.js'

/** How commits are named. */
export interface NameRevFlags {
  readonly tags: boolean
  readonly nameOnly: boolean
  readonly undefinedNames: boolean
  readonly always: boolean
  /** Tags stand for their commits, as for `describe --contains`. */
  readonly peelTags: boolean
  readonly refs: readonly string[]
  readonly exclude: readonly string[]
}

const DEPRECATED = `warning: --stdin is deprecated. Please use --annotate-stdin instead, which is \
functionally equivalent.
This option will be removed in a future release.
`

export function nameRev(command: Command, args: readonly string[]): number {
  const parsed = {
    ...{ tags: false, nameOnly: false, undefinedNames: true, always: false, peelTags: false },
    ...{ all: false, annotates: false, isDeprecated: false },
    refs: [] as string[],
    exclude: [] as string[],
  }
  type Flag = 'tags' | 'nameOnly' | 'undefinedNames' | 'always' | 'all' | 'annotates'
  const flag = (long: string, name: Flag): Option => ({
    long,
    negatable: true,
    set: (_, negated) => {
      parsed[name] = !negated
    },
  })
  const globs = (long: 'refs' | 'exclude'): Option => ({
    long,
    value: 'required',
    negatable: true,
    set: (value = '', negated) => {
      parsed[long] = negated ? [] : [...parsed[long], bytesOfArgument(value)]
    },
  })
  const options: Option[] = [
    flag('name-only', 'nameOnly'),
    flag('tags', 'tags'),
    globs('refs'),
    globs('exclude'),
    flag('all', 'all'),
    flag('annotate-stdin', 'annotates'),
    {
      long: 'stdin',
      negatable: true,
      set: (_, negated) => {
        parsed.annotates = !negated
        parsed.isDeprecated = !negated
      },
    },
    flag('undefined', 'undefinedNames'),
    flag('always', 'always'),
  ]
  const rest = parseOptions(options, args)
  compileQuickly()
  const opened = command.open()
  if (parsed.isDeprecated) opened.io.writeError(DEPRECATED)
  const kinds = [parsed.all, parsed.annotates, rest.length > 0].filter(Boolean)
  if (kinds.length > 1) {
    throw new Misused(`error: Specify either a list, or --all, not both!\n`)
  }
  if (parsed.all) printAll(opened, parsed)
  else if (parsed.annotates) annotateInput(opened, parsed)
  else printNames(opened, rest, parsed)
  return 0
}

/** Prints a line for each revision. */
export function printNames(opened: Opened, args: readonly string[], flags: NameRevFlags): void {
  const asked = args.flatMap((arg) => {
    const oid = objectOf(opened, arg, flags)
    return oid === null ? [] : [{ arg: bytesOfArgument(arg), oid }]
  })
  const { io } = opened
  const oids = asked.map(({ oid }) => oid)
  const found = namesOf(opened, oids, flags, false)
  const isShort = isShortened(found, flags)
  const lines = new Lines(io)
  try {
    for (const [at, { arg, oid }] of asked.entries()) {
      if (!flags.nameOnly) lines.add(`${arg} `)
      lines.add(`${nameOf(opened, found[at], isShort) ?? nameless(opened, oid, flags)}\n`)
    }
  } finally {
    lines.flush()
  }
}

/** Names objects; `whole` also those that are older than all that are asked for. */
function namesOf(
  { reader }: Opened,
  oids: readonly string[],
  flags: NameRevFlags,
  whole: boolean,
): NamedAfter[] {
  const found: NamedAfter[] = []
  if (oids.length === 0) return found
  const { tags } = flags
  const specs = reader.specs(oids)
  const [refs, exclude] = [reader.specs(flags.refs), reader.specs(flags.exclude)]
  reader.pages({ kind: 'nameRev', specs, tags, refs, exclude, whole }, (page) => {
    found.push(...decodeRefNames(new Uint8Array(page)))
  })
  return found
}

/** Prints all commits. Of those that have no name git knows few: tips of refs, and their parents. */
function printAll(opened: Opened, flags: NameRevFlags): void {
  const { oids, atTip } = allCommits(opened)
  const found = namesOf(opened, oids, flags, true)
  const isShort = isShortened(found, flags)
  const lines = new Lines(opened.io)
  try {
    for (const [at, oid] of oids.entries()) {
      const name = nameOf(opened, found[at], isShort)
      if (name === null && !atTip.has(oid)) continue
      if (!flags.nameOnly) lines.add(`${oid} `)
      lines.add(`${name ?? nameless(opened, oid, flags)}\n`)
    }
  } finally {
    lines.flush()
  }
}

function annotateInput(opened: Opened, flags: NameRevFlags): void {
  const { reader } = opened
  const named = (ids: readonly string[]) => {
    const oids = ids.filter((id) => reader.info(id) !== null)
    const found = namesOf(opened, oids, flags, true)
    const isShort = isShortened(found, flags)
    const pairs = oids.map((oid, at) => [oid, nameOf(opened, found[at], isShort)] as const)
    return new Map(pairs.flatMap(([oid, name]) => (name === null ? [] : [[oid, name] as const])))
  }
  annotate(opened, flags.nameOnly, named, new Lines(opened.io))
}

function isShortened(found: readonly NamedAfter[], flags: NameRevFlags): boolean {
  return (flags.tags && flags.nameOnly) || found.some(({ isPart }) => isPart)
}

function objectOf({ io, names, reader }: Opened, arg: string, flags: NameRevFlags): string | null {
  const oid = names.find(bytesOfArgument(arg))
  if (oid === null) {
    io.writeError(`Could not get sha1 for ${arg}. Skipping.\n`)
    return null
  }
  names.warn(bytesOfArgument(arg))
  if (!flags.peelTags) return oid
  const commit = reader.find(`${oid}^{commit}`)
  if (commit === null) io.writeError(`Could not get commit for ${arg}. Skipping.\n`)
  return commit
}

function nameOf({ reader }: Opened, found: NamedAfter | undefined, isShort: boolean) {
  if (!found || found.ref.length === 0) return null
  const full = fromBytes(found.ref)
  const name = isShort ? shortenRefname(reader, full, false) : full.replace(/^refs\/(heads\/)?/, '')
  return name + fromBytes(found.suffix)
}

function nameless({ reader }: Opened, oid: string, flags: NameRevFlags): string {
  if (flags.undefinedNames) return 'undefined'
  if (flags.always) return reader.abbreviate(oid, 0)
  throw fatal(`cannot describe '${textOfBytes(oid)}'`)
}

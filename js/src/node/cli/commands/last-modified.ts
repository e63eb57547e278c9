/** `last-modified`: finds the commits that last changed the entries of directories. */
import { decodeModified } from '../../../objects/modified.js'
import { type Option, parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { Exit, fatal } from '../base/exit.js'
import { Lines } from '../base/output.js'
import { type Group, groupsOf } from '../log/last-modified-paths.js'
import type { Command, Opened } from '../opening/command.js'
import { checkPaths } from '../revisions/path-args.js'
import { commitsOfRange, findRevisions, type Revision } from '../revisions/revisions.js'
import { bytesOfArgument, fromBytes, textOfBytes } from '../text/bytes.js'
import { sizeOf } from '../text/sizes.js'

/** Deeper than any tree that is read. */
const DEEPEST = 0xffff_ffff
const MOST_DEPTH = 2 ** 31 - 1

interface Parsed {
  depth: number
  trees: boolean
  isZ: boolean
}

export function lastModified(command: Command, args: readonly string[]): number {
  const parsed: Parsed = { depth: 0, trees: false, isZ: false }
  const options: Option[] = [
    {
      short: 'r',
      long: 'recursive',
      negatable: true,
      set: (_, negated) => (parsed.depth = negated ? 0 : DEEPEST),
    },
    {
      short: 't',
      long: 'show-trees',
      negatable: true,
      set: (_, negated) => (parsed.trees = !negated),
    },
    {
      long: 'max-depth',
      value: 'required',
      negatable: true,
      set: (value = '', negated) => (parsed.depth = negated ? 0 : depthOf(value)),
    },
    { short: 'z', set: () => (parsed.isZ = true) },
  ]
  const dashes = args.indexOf('--')
  const before = parseOptions(options, dashes < 0 ? args : args.slice(0, dashes))
  compileQuickly()
  const opened = command.open()
  const { revisions, paths } = split(opened, before, dashes >= 0)
  const groups = groupsOf(opened, [...paths, ...(dashes < 0 ? [] : args.slice(dashes + 1))], parsed)
  const limits = commitsAsked(opened, revisions)
  if (!limits) return 0
  const lines = new Lines(opened.io)
  try {
    for (const group of groups) print(opened, limits, group, parsed, lines)
  } finally {
    lines.flush()
  }
  return 0
}

function depthOf(value: string): number {
  const isNegative = /^\s*-/.test(value)
  const depth = sizeOf(isNegative ? value.replace('-', '') : value)
  if (depth <= MOST_DEPTH) return isNegative && depth > 0 ? DEEPEST : depth
  const what = "option `max-depth' expects an integer value with an optional k/m/g suffix"
  throw new Exit(129, `error: ${what}\n`)
}

/** Tells the revisions from the paths after them. */
function split(opened: Opened, args: readonly string[], hasDashes: boolean) {
  const revisions: Revision[] = []
  for (const [at, arg] of args.entries()) {
    const found = findRevisions(opened, bytesOfArgument(arg))
    if (found.kind === 'none') {
      const paths = args.slice(at)
      checkPaths(opened, paths, found.why, hasDashes)
      return { revisions, paths }
    }
    if (found.kind === 'one') {
      opened.names.warn(found.revision.name)
      revisions.push(found.revision)
    } else if (found.kind === 'several') revisions.push(...found.revisions)
    else {
      const range = commitsOfRange(opened.reader, found)
      if (!range.complete) throw fatal(`Invalid symmetric difference expression ${arg}`)
      revisions.push(...range.revisions)
      opened.names.warn(found.range.from)
      opened.names.warn(found.range.to)
    }
  }
  return { revisions, paths: [] }
}

interface Limits {
  readonly commit: string
  readonly excluded: readonly string[]
}

/** Returns the commit to begin with, and those to end at; `null` if only such are given. */
function commitsAsked(opened: Opened, revisions: readonly Revision[]): Limits | null {
  const { reader, names } = opened
  if (revisions.length === 0) {
    const commit = reader.find(`${names.require('HEAD')}^{commit}`)
    if (commit === null) throw fatal('HEAD is no commit')
    return { commit, excluded: [] }
  }
  const commits = revisions.map(({ oid, name, excluded }) => {
    const commit = reader.find(`${oid}^{commit}`)
    if (commit !== null) return { commit, excluded }
    const type = reader.info(oid)?.type ?? 'missing object'
    const what = `revision argument '${textOfBytes(name ?? oid)}' is a ${type}, not a commit-ish`
    throw new Exit(255, `error: ${what}\n`)
  })
  const [first, ...more] = commits.filter(({ excluded }) => !excluded)
  if (more.length > 0) {
    throw new Exit(255, 'error: last-modified can only operate on one commit at a time\n')
  }
  if (!first) return null
  const excluded = commits.flatMap(({ commit, excluded }) => (excluded ? [commit] : []))
  return { commit: first.commit, excluded }
}

function print(
  { reader, quote }: Opened,
  { commit, excluded }: Limits,
  { directory, names }: Group,
  { depth: most, trees, isZ }: Parsed,
  lines: Lines,
): void {
  const found = reader.find(`${commit}:${directory}`)
  if (found === null || reader.info(found)?.type !== 'tree') return
  // git counts from the named directory, whose entries are one level below.
  const depth = directory !== '' && names.length === 0 ? Math.max(most - 1, 0) : most
  const prefix = directory === '' ? '' : `${directory}/`
  const question = {
    kind: 'lastModified',
    spec: commit,
    path: Buffer.from(directory, 'latin1'),
    names: reader.specs(names),
    depth,
    trees,
    excluded: reader.specs(excluded),
  } as const
  reader.pages(question, (page) => {
    for (const entry of decodeModified(new Uint8Array(page))) {
      const path = prefix + fromBytes(entry.nameBytes)
      const id = `${entry.isCut ? '^' : ''}${entry.commit}`
      lines.add(isZ ? `${id}\t${path}\0` : `${id}\t${quote(path)}\n`)
    }
  })
}

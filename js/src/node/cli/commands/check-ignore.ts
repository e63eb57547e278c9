/** `check-ignore`: prints which paths are ignored, and by which line. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { IgnoreRecord } from '../../../objects/path-records.js'
import { decodeIgnored } from '../../../objects/path-records.js'
import { gitDirectoryAt } from '../../path-store.js'
import { flagOption } from '../args/flag-option.js'
import { type Option, parseOptions } from '../args/options.js'
import { pathsOfInput } from '../args/requests.js'
import { Exit, fatal } from '../base/exit.js'
import { Lines } from '../base/output.js'
import type { Command, Configured, Opened } from '../opening/command.js'
import { pathInTree } from '../repository/place.js'
import { bytesOfArgument, fromBytes, textOfBytes, toBytes } from '../text/bytes.js'

type Flag = 'quiet' | 'verbose' | 'nonMatching' | 'stdin' | 'z' | 'index'
type Parsed = Record<Flag, boolean>

/** A path as it was given, and from the top of the work tree. */
interface Asked {
  readonly given: string
  readonly name: string
}

/** The line that decides about a path. */
interface Deciding {
  readonly source: string
  readonly line: number
  readonly text: string
  readonly isNegative: boolean
}

export function checkIgnore(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    quiet: false,
    verbose: false,
    nonMatching: false,
    stdin: false,
    z: false,
    index: true,
  }
  const given = parseOptions(optionsInto(parsed), args)
  checkUse(parsed, given)
  const opened = command.openConfigured()
  const { top } = opened.place
  if (top === null) throw fatal('this operation must be run in a work tree')
  const { asked, failure } = parsed.stdin
    ? askedUntil(opened, top, pathsOfInput(opened.io, parsed.z))
    : { asked: given.map((path) => askedPath(opened, top, bytesOfArgument(path))), failure: null }
  const found = answers(opened, top, asked, parsed.index)
  const lines = new Lines(opened.io)
  let ignored = 0
  for (const [at, { given }] of asked.entries()) {
    const line = found[at] ?? null
    const counts = line !== null && (parsed.verbose || !line.isNegative)
    if (counts) ignored++
    if (!parsed.quiet && (counts || parsed.nonMatching))
      lines.add(shown(opened, parsed, given, line))
  }
  lines.flush()
  if (failure !== null) throw failure
  return ignored > 0 ? 0 : 1
}

/** Returns the paths before the first one that is an error: git answers these. */
function askedUntil(
  opened: Opened,
  top: string,
  paths: Iterable<string>,
): { readonly asked: readonly Asked[]; readonly failure: Exit | null } {
  const asked: Asked[] = []
  try {
    for (const path of paths) asked.push(askedPath(opened, top, path))
  } catch (error) {
    if (error instanceof Exit) return { asked, failure: error }
    throw error
  }
  return { asked, failure: null }
}

function checkUse({ quiet, verbose, nonMatching, stdin, z }: Parsed, given: readonly string[]) {
  if (stdin && given.length > 0) throw fatal('cannot specify pathnames with --stdin')
  if (z && !stdin) throw fatal('-z only makes sense with --stdin')
  if (!stdin && given.length === 0) throw fatal('no path specified')
  if (quiet && given.length > 1) throw fatal('--quiet is only valid with a single pathname')
  if (quiet && verbose) throw fatal('cannot have both --quiet and --verbose')
  if (nonMatching && !verbose) throw fatal('--non-matching is only valid with --verbose')
}

/** @throws if a path is outside of the work tree, or beyond a symbolic link */
function askedPath({ place }: Opened, top: string, given: string): Asked {
  if (given === '') {
    const hint = 'please use . instead if you meant to match all paths'
    throw fatal(`empty string is not a valid pathspec. ${hint}`)
  }
  const name = pathInTree(place, place.prefix, given, `${textOfBytes(given)}: `)
  const parts = name.split('/')
  for (let count = 1; count < parts.length; count++) {
    if (statOf(top, parts.slice(0, count).join('/'))?.isSymbolicLink()) {
      throw fatal(`pathspec '${textOfBytes(given)}' is beyond a symbolic link`)
    }
  }
  return { given, name }
}

function statOf(top: string, name: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(inWorktree(top, name), { throwIfNoEntry: false })
  } catch {
    // A part of the path is a file.
    return undefined
  }
}

function inWorktree(top: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${top}${path.sep}`), toBytes(name)])
}

function answers(
  opened: Configured,
  top: string,
  asked: readonly Asked[],
  skipsTracked: boolean,
): (Deciding | null)[] {
  const { reader } = opened
  const found: (Deciding | null)[] = []
  const paths = reader.specs(asked.map(({ name }) => name))
  reader.pages({ kind: 'ignored', paths, skipsTracked }, (page) => {
    for (const one of decodeIgnored(new Uint8Array(page))) {
      const directory = asked[found.length]?.name.slice(0, one?.base) ?? ''
      found.push(one && decidingOf(one, sourceOf(opened, top, one.file, directory)))
    }
  })
  return found
}

function decidingOf({ line, isNegative, pattern }: IgnoreRecord, source: string): Deciding {
  return { source, line, text: fromBytes(pattern), isNegative }
}

function sourceOf(
  { place, excludesFile }: Configured,
  top: string,
  file: number,
  directory: string,
): string {
  if (file === 3) return `${directory}.gitignore`
  if (file === 1) return excludesFile ?? ''
  const common = gitDirectoryAt(place.gitDir)?.commonDir ?? place.gitDir
  const below = path.relative(top, common)
  const isInside = !below.startsWith('..') && !path.isAbsolute(below)
  return bytesOfArgument(path.join(isInside ? below : common, 'info', 'exclude'))
}

function shown(
  { quote }: Configured,
  { verbose, z }: Parsed,
  given: string,
  line: Deciding | null,
): string {
  const end = z ? '\0' : '\n'
  const quoted = (text: string) => (z ? text : quote(text))
  if (!verbose) return `${quoted(given)}${end}`
  const { source, line: number, text } = line ?? { source: '', line: '', text: '' }
  if (z) return `${source}\0${number}\0${text}\0${given}\0`
  return `${quoted(source)}:${number}:${text}\t${quoted(given)}\n`
}

function optionsInto(parsed: Parsed): Option[] {
  const flag = (name: Flag, names: Pick<Option, 'short' | 'long'>) =>
    flagOption(parsed, name, names)
  return [
    flag('quiet', { short: 'q', long: 'quiet' }),
    flag('verbose', { short: 'v', long: 'verbose' }),
    flag('nonMatching', { short: 'n', long: 'non-matching' }),
    flag('stdin', { long: 'stdin' }),
    flag('z', { short: 'z' }),
    flag('index', { long: 'index' }),
  ]
}

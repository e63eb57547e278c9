/** `check-attr`: prints the attributes of paths. */
import type { AttributeState } from '../../../objects/path-records.js'
import { decodeAttributes } from '../../../objects/path-records.js'
import { flagOption } from '../args/flag-option.js'
import { type Option, parseOptions } from '../args/options.js'
import { pathsOfInput } from '../args/requests.js'
import { Exit, Misused } from '../base/exit.js'
import { Lines } from '../base/output.js'
import type { Command, Opened } from '../opening/command.js'
import { pathInTree } from '../repository/place.js'
import { bytesOfArgument, fromBytes } from '../text/bytes.js'

type Flag = 'all' | 'cached' | 'stdin' | 'z'

interface Parsed extends Record<Flag, boolean> {
  source: string | undefined
}

interface Asked {
  /** None for all. */
  readonly attributes: readonly string[]
  readonly paths: readonly string[]
}

/** Attributes and paths of one question: its answers arrive before the next path is read. */
const MOST_PATHS = 1000

export function checkAttr(command: Command, args: readonly string[]): number {
  const parsed: Parsed = { all: false, cached: false, stdin: false, z: false, source: undefined }
  const { attributes, paths } = askedBy(parsed, args)
  for (const name of attributes) {
    if (/^[\w.][-\w.]*$/.test(name)) continue
    throw new Exit(255, `error: ${name}: not a valid attribute name\n`)
  }
  const opened = command.openConfigured()
  const given = parsed.stdin ? [...pathsOfInput(opened.io, parsed.z)] : paths
  const lines = new Lines(opened.io)
  for (let at = 0; at < given.length; at += MOST_PATHS) {
    print(opened, parsed, { attributes, paths: given.slice(at, at + MOST_PATHS) }, lines)
  }
  lines.flush()
  return 0
}

/** @throws if attributes or paths are missing or too many, as in git */
function askedBy(parsed: Parsed, args: readonly string[]): Asked {
  const dashes = args.indexOf('--')
  const before = parseOptions(optionsInto(parsed), dashes < 0 ? args : args.slice(0, dashes))
  const after = dashes < 0 ? [] : args.slice(dashes + 1)
  const { all, stdin } = parsed
  if (all && dashes >= 0 && before.length > 0) {
    throw new Misused('error: Attributes and --all both specified\n')
  }
  const isSplit = dashes >= 0
  const count = all ? 0 : isSplit || stdin ? before.length : 1
  if (!all && before.length === 0) throw new Misused('error: No attribute specified\n')
  const paths = [...before.slice(count), ...after].map(bytesOfArgument)
  if (stdin && paths.length > 0) throw new Misused("error: Can't specify files with --stdin\n")
  if (!stdin && paths.length === 0) throw new Misused('error: No file specified\n')
  return { attributes: before.slice(0, count), paths }
}

function print(opened: Opened, parsed: Parsed, { attributes, paths }: Asked, lines: Lines): void {
  const { place, reader, quote } = opened
  let at = 0
  const question = {
    kind: 'attributes',
    spec: parsed.source,
    cached: parsed.cached || place.top === null,
    paths: reader.specs(paths.map((path) => pathInTree(place, place.prefix, path, ''))),
    names: reader.specs(attributes),
  } as const
  reader.pages(question, (page) => {
    for (const all of decodeAttributes(new Uint8Array(page))) {
      const path = paths[at++] ?? ''
      for (const [name, state] of all)
        lines.add(shown(parsed.z ? path : quote(path), name, wordOf(state), parsed.z))
    }
  })
}

function shown(path: string, name: string, value: string, z: boolean): string {
  return z ? `${path}\0${name}\0${value}\0` : `${path}: ${name}: ${value}\n`
}

function wordOf(state: AttributeState): string {
  if (state === null) return 'unspecified'
  return typeof state === 'boolean' ? (state ? 'set' : 'unset') : fromBytes(state)
}

function optionsInto(parsed: Parsed): Option[] {
  const flag = (name: Flag, names: Pick<Option, 'short' | 'long'>) =>
    flagOption(parsed, name, names)
  return [
    flag('all', { short: 'a', long: 'all' }),
    flag('cached', { long: 'cached' }),
    flag('stdin', { long: 'stdin' }),
    flag('z', { short: 'z' }),
    {
      long: 'source',
      value: 'required',
      negatable: true,
      set: (value) => {
        parsed.source = value
      },
    },
  ]
}

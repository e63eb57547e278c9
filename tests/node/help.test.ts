/**
 * The descriptions of commands, of which usages, completion and documentation are made, have
 * every option that a command takes, and no other.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { DESCRIPTIONS } from '../../dist/node/cli/help/all.js'
import type { OptionName } from '../../dist/node/cli/help/description.js'
import { namesIn, optionNames } from '../../dist/node/cli/help/description.js'
import { GLOBAL } from '../../dist/node/cli/help/global.js'
import { usage } from '../../dist/node/cli/help/usage.js'
import type { Option } from '../../js/src/node/cli/args/options.ts'
import { COMMANDS } from '../../js/src/node/cli/commands.ts'
import * as help from '../../js/src/node/cli/help/help.ts'
import { main } from '../../js/src/node/cli/main.ts'
import * as pager from '../../js/src/node/cli/pager.ts'
import { commandPages } from '../../scripts/lib/command-pages.mjs'
import { loaded } from '../../scripts/lib/loaded-commands.mjs'
import { root, run, unpacked } from './cli-support.js'

/** The options with which the commands called the parser. */
const parsed = vi.hoisted(() => ({ tables: [] as (readonly Option[])[] }))

// Node loads `dist` itself, without mocks: here the sources run.
vi.mock('../../js/src/node/cli/args/options.ts', async (original) => {
  const real = await original<typeof import('../../js/src/node/cli/args/options.ts')>()
  const note = (table: readonly Option[]) => parsed.tables.push(table)
  return {
    parseOptions(...args: Parameters<typeof real.parseOptions>) {
      note(args[0])
      return real.parseOptions(...args)
    },
    takeOption(...args: Parameters<typeof real.takeOption>) {
      note(args[0])
      return real.takeOption(...args)
    },
  }
})

const names = Object.keys(DESCRIPTIONS)
const commands = await loaded(COMMANDS)
const described = (name: string) => optionNames(DESCRIPTIONS[name] ?? GLOBAL)

/** Commands that take all of their options from a table. */
const BY_TABLE = [
  ...[
    'archive',
    'blame',
    'bundle',
    'cat-file',
    'check-attr',
    'check-ignore',
    'completion',
    'config',
    'count-objects',
    'describe',
    'diff',
    'diff-tree',
  ],
  ...[
    'for-each-ref',
    'fsck',
    'grep',
    'last-modified',
    'ls-files',
    'ls-tree',
    'merge-base',
    'name-rev',
  ],
  ...['serve', 'show-index', 'show-ref', 'status', 'symbolic-ref', 'verify-pack'],
]

/** Commands with options of their own code; some have a table, too. */
const BY_CODE = names.filter((name) => !BY_TABLE.includes(name))

/** Returns the options of a command's tables that it does not refuse. */
function taken(name: string): Option[] {
  parsed.tables = []
  const io = { env: {}, cwd: `${unpacked}/tiny`, read: () => 0, write() {}, writeError() {} }
  const chunks = { commands, help: () => help, pager: () => pager }
  // Subcommands have options of their own.
  for (const subcommand of [[], ...(DESCRIPTIONS[name]?.words ?? []).map((word) => [word])]) {
    expect(main([name, ...subcommand, '--no-such-option'], io, chunks)).toBeGreaterThan(0)
  }
  const tables = new Set(parsed.tables)
  expect(tables.size).toBeGreaterThan(0)
  return [...tables].flat().filter((option) => {
    try {
      option.set(option.value === undefined ? undefined : 'main', false)
      return true
    } catch (error) {
      return !/does not support|changes nothing/.test(`${error}`)
    }
  })
}

/** Returns the ways to write an option. */
const forms = ({ name, negatable }: OptionName) =>
  negatable ? [name, `--no-${name.slice(2)}`] : [name]

const sorted = (options: readonly OptionName[]) =>
  [
    ...new Set(
      options.map(({ name, value = 'none', negatable }) => `${name} ${value} ${negatable}`),
    ),
  ].sort()

describe('options of tables', () => {
  test.each(BY_TABLE)('%s', (name) => {
    const options = taken(name).flatMap(({ short, long, value, negatable = false }) => {
      const how = value ? { value } : {}
      return [
        ...(short === undefined ? [] : [{ name: `-${short}`, negatable: false, ...how }]),
        ...(long === undefined ? [] : [{ name: `--${long}`, negatable, ...how }]),
      ]
    })
    expect(sorted(described(name))).toEqual(sorted(options))
  })

  test.each(['log', 'show', 'shortlog'])('%s has those of its table', (name) => {
    const all = new Set(described(name).flatMap(forms))
    const options = taken(name).flatMap(({ short, long }) => [
      ...(short === undefined ? [] : [`-${short}`]),
      ...(long === undefined ? [] : [`--${long}`]),
    ])
    expect(options.length).toBeGreaterThan(5)
    // In `show`, options that git's `log` alone has do nothing.
    const own = options.filter((option) => name !== 'show' || !/^--(no-)?follow$/.test(option))
    expect(own.filter((option) => !all.has(option))).toEqual([])
  })
})

/** Returns whether a command knows an option, whatever it says about its value. */
function isKnown(name: string, option: string, value?: string): boolean {
  const given = value === undefined ? [option] : [option, value]
  const { exit, stderr, stdout } = run('tiny', [name, ...given, ...(ARGUMENTS[name] ?? ['HEAD'])])
  if (/unknown (option|switch)|unrecognized argument|does not support/.test(stderr)) return false
  // An abbreviation, which more than one option could be.
  if (stderr.includes('ambiguous option')) return false
  if (exit === 129 && /^(Did you mean .*\n)?usage:/.test(stderr)) return false
  // `rev-parse` prints what it does not know.
  return !(name === 'rev-parse' && stdout.toString().startsWith(`${option}\n`))
}

/** The arguments that a command needs. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  'check-ref-format': ['refs/heads/main'],
  'index-pack': ['missing.pack'],
}

/** The values of options that do not take any. */
const VALUES: Readonly<Record<string, string>> = {
  '--missing': 'print',
  '--collisions': 'trust',
  '--encoding': 'utf-8',
  '-L': '1,2:file',
}

describe('options of code', () => {
  const everywhere = new Set(names.flatMap(described).flatMap(forms))

  test.each(BY_CODE)('%s knows what is described', (name) => {
    const unknown = described(name).flatMap((option) => {
      const value = VALUES[option.name] ?? '1'
      return forms(option).filter((form) => {
        if (form === '-#') return !isKnown(name, '-3')
        if (option.value !== 'required' || form !== option.name) return !isKnown(name, form)
        const isOne = form === '--branch'
        return !(
          isKnown(name, `${form}=${value}`) ||
          isKnown(name, form, value) ||
          (isOne && run('tiny', [name, form, value]).exit === 0)
        )
      })
    })
    expect(unknown).toEqual([])
  })

  test.each(BY_CODE)('%s does not know options of others', (name) => {
    const own = new Set(described(name).flatMap(forms))
    expect(everywhere.size).toBeGreaterThan(300)
    // Options of tables may be abbreviated.
    const isShort = (option: string) => [...own].some((long) => long.startsWith(option))
    const others = [...everywhere].filter((option) => !isShort(option) && option !== '-h')
    const known = others.filter((option) => isKnown(name, option) || isKnown(name, `${option}=1`))
    expect(known).toEqual([])
  })
})

describe('rows', () => {
  const rows = [...Object.entries(DESCRIPTIONS), ['packlens', GLOBAL] as const]

  test.each(rows)('%s', (_, { about, groups, usages }) => {
    expect(about).toMatch(/^\S.*[^.\s]$/)
    expect(usages.length).toBeGreaterThan(0)
    const options = groups.flatMap((group) => group.options)
    for (const row of options) {
      expect(namesIn(row).length, row[0]).toBeGreaterThan(0)
      expect(row[1], row[0]).toMatch(/^\S/)
    }
    const all = options.flatMap(namesIn).map(({ name }) => name)
    const twice = all.filter((name, at) => all.indexOf(name) !== at && name !== '-L')
    expect(twice).toEqual([])
  })

  test('names are read as git writes them', () => {
    const read = (names: string) => namesIn([names, ''])
    expect(read('-o, --[no-]output <file>')).toEqual([
      { name: '-o', value: 'required', negatable: false },
      { name: '--output', value: 'required', negatable: true },
    ])
    expect(read('--abbrev[=<n>]')).toEqual([
      { name: '--abbrev', value: 'optional', negatable: false },
    ])
    expect(read('-B[<n>[/<m>]], --break-rewrites[=<n>[/<m>]]')).toEqual([
      { name: '-B', value: 'optional', negatable: false },
      { name: '--break-rewrites', value: 'optional', negatable: false },
    ])
    expect(read('--and, --or, (, )')).toEqual([
      { name: '--and', negatable: false },
      { name: '--or', negatable: false },
    ])
  })

  test('lines fit a terminal', () => {
    for (const [name, description] of rows) {
      const long = usage(`packlens ${name}`, description)
        .split('\n')
        .filter((line) => line.length > 100)
      expect(long, name).toEqual([])
    }
  })
})

describe('help', () => {
  test.each(['help', '--help', '-h'])('%s lists the commands, or one', (word) => {
    const all = run('/', [word]).stdout.toString()
    expect(all.match(/^ {3}[a-z-]+ +\S/gm)?.length).toBe(names.length)
    expect(run('/', [word, 'ls-tree'])).toEqual(run('/', ['ls-tree', '--help']))
    expect(run('/', [word, 'ls-treee'])).toMatchObject({
      exit: 1,
      stderr: run('/', ['ls-treee']).stderr,
    })
  })

  test('an unknown option of commands without tables', () => {
    for (const [args, message] of [
      [['log', '--onelin'], "fatal: unrecognized argument: --onelin\nDid you mean '--oneline'?\n"],
      [['show', '--pathc'], "fatal: unrecognized argument: --pathc\nDid you mean '--patch'?\n"],
      [
        ['log', '--no-expand-tab'],
        "fatal: unrecognized argument: --no-expand-tab\nDid you mean '--no-expand-tabs'?\n",
      ],
      [['log', '--nonsense'], 'fatal: unrecognized argument: --nonsense\n'],
      [['log', '--format', 'HEAD'], 'fatal: unrecognized argument: --format\n'],
      [['log', '-Y'], 'fatal: unrecognized argument: -Y\n'],
    ] as const) {
      const { exit, stderr } = run('tiny', args)
      expect([exit, stderr]).toEqual([128, message])
    }
    expect(run('tiny', ['shortlog', '--numbred']).stderr).toMatch(
      /^error: unknown option `--numbred'\nDid you mean '--numbered'\?\nusage: packlens shortlog /,
    )
    expect(run('tiny', ['index-pack', '--fix-thinn']).stderr).toMatch(
      /^Did you mean '--fix-thin'\?\nusage: packlens index-pack /,
    )
  })
})

test('The pages of docs/commands are up to date: npm run commands', () => {
  const folder = `${root}docs/commands`
  const pages = commandPages()
  expect(pages.size).toBe(names.length + 1)
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort())
  for (const [name, text] of pages) expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(text)
})

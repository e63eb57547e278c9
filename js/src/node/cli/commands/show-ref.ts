/** `show-ref`: lists refs and the ids that they resolve to. */

import { parseOptions } from '../args/options.js'
import { Exit, fatal, Help } from '../base/exit.js'
import { Lines } from '../base/output.js'
import type { Command, Opened } from '../opening/command.js'
import { eachRef } from '../refs/ref-list.js'
import { checkRefname } from '../refs/refname-rules.js'
import { readRef } from '../refs/refnames.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument } from '../text/bytes.js'

const LEAST_DIGITS = 4

interface Shown {
  readonly name: string
  readonly oid: string | null
  readonly peeled: string | null
}

class Flags {
  tags = false
  branches = false
  exists = false
  verify = false
  head = false
  dereference = false
  hash = false
  quiet = false
  /** The digits of shown ids: `null` for all, 0 to choose by the size of the repository. */
  digits: number | null = null
}

export function showRef(command: Command, args: readonly string[]): number {
  const flags = new Flags()
  // `-h` alone asks for help; with other arguments it was once short for `--head`.
  if (args.length === 1 && args[0] === '-h') throw new Help()
  const names = parseOptions(optionsFor(flags), args).map(bytesOfArgument)
  if (flags.verify && flags.exists) {
    throw fatal("options '--verify' and '--exists' cannot be used together")
  }
  const opened = command.open()
  if (flags.exists) return exists(opened, names)
  const printer = new Printer(opened, flags)
  try {
    return flags.verify ? printer.verify(names) : printer.list(names)
  } finally {
    printer.flush()
  }
}

function optionsFor(flags: Flags) {
  type Flag = { [key in keyof Flags]: Flags[key] extends boolean ? key : never }[keyof Flags]
  const flag = (long: string, name: Flag, short?: string) => ({
    ...(short === undefined ? {} : { short }),
    long,
    negatable: true,
    set: (_: unknown, negated: boolean) => {
      flags[name] = !negated
    },
  })
  const digits = (value: string | undefined, negated: boolean, called: string) => {
    if (negated) flags.digits = null
    else if (value === undefined) flags.digits = 0
    else if (/^\d+$/.test(value)) {
      flags.digits = Number(value) === 0 ? null : Math.max(Number(value), LEAST_DIGITS)
    } else throw new Exit(129, `error: option \`${called}' expects a numerical value\n`)
  }
  return [
    flag('tags', 'tags'),
    flag('branches', 'branches'),
    flag('heads', 'branches'),
    flag('exists', 'exists'),
    flag('verify', 'verify'),
    flag('head', 'head'),
    flag('dereference', 'dereference', 'd'),
    flag('quiet', 'quiet', 'q'),
    {
      short: 's',
      long: 'hash',
      value: 'optional' as const,
      set: (value: string | undefined) => {
        flags.hash = true
        if (value !== undefined) digits(value, false, 'hash')
      },
    },
    {
      long: 'abbrev',
      value: 'optional' as const,
      negatable: true,
      set: (value: string | undefined, negated: boolean) => digits(value, negated, 'abbrev'),
    },
    {
      long: 'exclude-existing',
      value: 'optional' as const,
      set: () => {
        throw fatal('packlens show-ref does not support --exclude-existing')
      },
    },
  ]
}

function exists({ io, reader }: Opened, names: readonly string[]): number {
  const [name, another] = names
  if (name === undefined) throw fatal('--exists requires a reference')
  if (another !== undefined) throw fatal('--exists requires exactly one reference')
  const ref = readRef(reader, name)
  // A ref may exist although its name breaks git's rules.
  if (ref === null && !isListed(reader, name)) {
    io.writeError('error: reference does not exist\n')
    return 2
  }
  if (ref === null || ref.oid !== null || ref.target !== null) return 0
  io.writeError('error: failed to look up reference: Invalid argument\n')
  return 1
}

function isListed(reader: Reader, name: string): boolean {
  const bytes = bytesOfArgument(name)
  if (checkRefname(bytes, { oneLevel: true }) !== null) return false
  let found = false
  eachRef(reader, { prefix: bytes, badNames: true }, (ref) => {
    found ||= ref.name === bytes
  })
  return found
}

class Printer {
  readonly #opened: Opened
  readonly #flags: Flags
  readonly #lines: Lines

  constructor(opened: Opened, flags: Flags) {
    this.#opened = opened
    this.#flags = flags
    this.#lines = new Lines(opened.io)
  }

  flush(): void {
    this.#lines.flush()
  }

  verify(names: readonly string[]): number {
    const { reader } = this.#opened
    if (names.length === 0) throw fatal('--verify requires a reference')
    for (const name of names) {
      const isSpelledOut = name.startsWith('refs/') || /^[A-Z_]+$/.test(name)
      const ref = isSpelledOut ? readRef(reader, name) : null
      if (ref?.oid) this.#show({ name, oid: ref.oid, peeled: ref.peeled })
      else if (this.#flags.quiet) return 1
      else {
        this.flush()
        throw fatal(`'${Buffer.from(name, 'latin1')}' - not a valid ref`)
      }
    }
    return 0
  }

  list(patterns: readonly string[]): number {
    const { reader } = this.#opened
    const { head, branches, tags, dereference } = this.#flags
    let found = 0
    const show = (ref: Shown) => {
      found++
      this.#show(ref)
    }
    if (head) {
      const ref = readRef(reader, 'HEAD')
      if (ref?.oid) show({ name: 'HEAD', oid: ref.oid, peeled: ref.peeled })
    }
    const prefixes = [...(branches ? ['refs/heads/'] : []), ...(tags ? ['refs/tags/'] : [])]
    for (const prefix of prefixes.length > 0 ? prefixes : ['']) {
      eachRef(reader, { prefix, peel: dereference, badNames: true }, (ref) => {
        const fits = patterns.some((end) => ref.name === end || ref.name.endsWith(`/${end}`))
        if (patterns.length > 0 && !fits) return
        if (ref.oid !== null) show(ref)
        else if (checkRefname(ref.name, { oneLevel: true }) === null) throw this.#bad(ref.name)
      })
    }
    return found > 0 ? 0 : 1
  }

  #show({ name, oid, peeled }: Shown): void {
    const { reader } = this.#opened
    const { quiet, hash, dereference } = this.#flags
    if (oid === null) return
    if (reader.info(oid) === null) throw this.#bad(name, oid)
    if (quiet) return
    this.#lines.add(hash ? `${this.#short(oid)}\n` : `${this.#short(oid)} ${name}\n`)
    if (dereference && peeled !== null) this.#lines.add(`${this.#short(peeled)} ${name}^{}\n`)
  }

  #bad(name: string, oid = '0'.repeat(this.#opened.reader.hexLength)): Exit {
    return fatal(`git show-ref: bad ref ${Buffer.from(name, 'latin1')} (${oid})`)
  }

  #short(oid: string): string {
    const { digits } = this.#flags
    return digits === null ? oid : this.#opened.reader.abbreviate(oid, digits).slice(0, oid.length)
  }
}

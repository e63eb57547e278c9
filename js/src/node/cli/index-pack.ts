/** `index-pack`: makes the index of a pack. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { PackFacts, Taker } from '../../index-pack.js'
import { Wish } from '../../index-pack.js'
import type { MaybePromise } from '../../maybe.js'
import type { Command } from './command.js'
import { Exit, fatal } from './exit.js'
import { Help } from './options.js'
import { formatOfIds, readPack } from './pack-session.js'
import { threadsFor, together } from './threads.js'

const USAGE = `usage: packlens index-pack [-o <index-file>] [--[no-]rev-index] [--verify]
                           [--threads=<n>] [--object-format=<hash>] <pack-file>

Only in packlens
    --collisions=(detect|trust)
                          whether to look for collisions of SHA-1, as git does; default detect
`

/** What git has and packlens has not. */
const LACKING = /^--(stdin|fix-thin|strict|keep|fsck-objects|promisor|check-self-contained)/

interface Parsed {
  pack: string | undefined
  index: string | undefined
  reverse: boolean
  verify: boolean
  format: string | undefined
  threads: string | undefined
  trust: number
}

export function indexPack(command: Command, args: readonly string[]): MaybePromise<number> {
  const { pack, index, reverse, verify, format, threads: given, trust } = parse(args)
  if (pack === undefined) throw new Exit(129, USAGE)
  const idx = index ?? renamed(pack, '.pack', '.idx')
  const rev = reverse ? renamed(idx, '.idx', '.rev') : undefined
  const { io } = command
  const inFolder = (file: string) => path.resolve(io.cwd, file)
  if (!fs.existsSync(inFolder(pack))) {
    throw fatal(`could not open '${pack}' for reading: No such file or directory`)
  }
  const ids = formatOfIds(command, format)
  const threads = threadsFor(command, pack, given)
  const collisions = trust ? 'trust' : 'detect'
  if (verify) {
    if (!fs.existsSync(inFolder(idx))) {
      throw fatal(`Cannot open existing pack idx file for '${idx}'`)
    }
    if (threads > 1) {
      return together(command, threads, ids, async ({ verifyPack }, options) => {
        await verifyPack(inFolder(pack), inFolder(idx), { ...options, collisions })
        return 0
      })
    }
    readPack(command, { pack, idx }, ids, Wish.verify | trust, {})
    return 0
  }
  const written = new Written()
  const files: Taker = {
    index: (bytes) => written.write(inFolder(idx), bytes),
    reverse: (bytes) => written.write(inFolder(rev ?? ''), bytes),
  }
  const publish = ({ oid }: PackFacts) => {
    written.publish()
    io.write(Buffer.from(`${oid}\n`))
    return 0
  }
  if (threads > 1) {
    return together(command, threads, ids, async ({ indexPack: make }, options) => {
      try {
        const made = await make(inFolder(pack), { ...options, collisions })
        files.index?.(made.idx)
        if (rev !== undefined) files.reverse?.(made.rev)
        return publish(made)
      } finally {
        written.discard()
      }
    })
  }
  try {
    const wishes = Wish.index | trust | (rev === undefined ? 0 : Wish.reverse)
    return publish(readPack(command, { pack }, ids, wishes, files))
  } finally {
    written.discard()
  }
}

function parse(args: readonly string[]): Parsed {
  const parsed: Parsed = {
    pack: undefined,
    index: undefined,
    reverse: false,
    verify: false,
    format: undefined,
    threads: undefined,
    trust: 0,
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-')) {
      if (parsed.pack !== undefined) throw new Exit(129, USAGE)
      parsed.pack = arg
    } else if (arg === '-h') throw new Help(USAGE)
    else if (arg === '-v') continue
    else if (arg === '--verify') parsed.verify = true
    else if (arg === '--rev-index') parsed.reverse = true
    else if (arg === '--no-rev-index') parsed.reverse = false
    else if (arg.startsWith('--object-format=')) parsed.format = arg.slice(16)
    else if (/^--threads=\d+$/.test(arg)) parsed.threads = arg.slice(10)
    else if (arg === '--collisions=detect') parsed.trust = 0
    else if (arg === '--collisions=trust') parsed.trust = Wish.trust
    else if (arg === '-o' && parsed.index === undefined && at + 1 < args.length) {
      parsed.index = args[++at]
    } else if (LACKING.test(arg)) throw fatal(`index-pack ${arg} is not there yet`)
    else throw new Exit(129, USAGE)
  }
  return parsed
}

function renamed(name: string, from: string, to: string): string {
  if (name.endsWith(from)) return name.slice(0, -from.length) + to
  throw fatal(`packfile name '${name}' does not end with '${from}'`)
}

/** Files that are there under their names only once they are complete. */
class Written {
  readonly #open = new Map<string, { readonly file: number; readonly temporary: string }>()

  write(name: string, bytes: Uint8Array): void {
    let place = this.#open.get(name)
    if (!place) {
      const temporary = `${name}.${process.pid}.tmp`
      place = { file: fs.openSync(temporary, 'wx', 0o444), temporary }
      this.#open.set(name, place)
    }
    for (let done = 0; done < bytes.byteLength; ) {
      done += fs.writeSync(place.file, bytes, done)
    }
  }

  publish(): void {
    for (const [name, { file, temporary }] of this.#open) {
      fs.closeSync(file)
      fs.renameSync(temporary, name)
      this.#open.delete(name)
    }
  }

  discard(): void {
    for (const { file, temporary } of this.#open.values()) {
      fs.closeSync(file)
      fs.rmSync(temporary, { force: true })
    }
    this.#open.clear()
  }
}

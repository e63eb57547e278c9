/** `verify-pack`: tells whether packs are what their indexes say. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isPacklensError } from '../../errors.js'
import { Wish } from '../../index-pack.js'
import type { Command } from './command.js'
import { Exit, failed } from './exit.js'
import { parseOptions } from './options.js'
import { formatOfIds, readPack } from './pack-session.js'

const USAGE = `usage: packlens verify-pack [-v | --verbose] [-s | --stat-only]
                            [--object-format=<hash>] [--] <pack>.idx...

    -v, --verbose         verbose
    -s, --stat-only       show statistics only
    --object-format <hash>
                          specify the hash algorithm to use

`

export function verifyPack(command: Command, args: readonly string[]): number {
  let verbose = false
  let statistics = false
  let named: string | undefined
  const packs = parseOptions(
    [
      { short: 'v', long: 'verbose', negatable: true, set: (_, no) => (verbose = !no) },
      { short: 's', long: 'stat-only', negatable: true, set: (_, no) => (statistics = !no) },
      { long: 'object-format', value: 'required', set: (value) => (named = value) },
    ],
    args,
    USAGE,
  )
  if (packs.length === 0) throw new Exit(129, USAGE)
  const format = formatOfIds(command, named)
  const told = statistics ? Wish.summary : verbose ? Wish.lines | Wish.summary : 0
  let code = 0
  for (const given of packs) {
    const pack = `${given.replace(/\.(pack|idx)$/, '')}.pack`
    const idx = pack.replace(/\.pack$/, '.idx')
    const { io } = command
    const print = (text: string) => io.write(Buffer.from(text))
    try {
      const files = { pack, idx }
      for (const file of [idx, pack]) {
        if (fs.existsSync(path.resolve(io.cwd, file))) continue
        throw new Exit(128, `fatal: Cannot open existing pack file '${file}'\n`)
      }
      readPack(command, files, format, Wish.verify | told, { text: (bytes) => io.write(bytes) })
      if (verbose && !statistics) print(`${pack}: ok\n`)
    } catch (error) {
      const exit = isPacklensError(error) ? failed(error) : error
      if (!(exit instanceof Exit)) throw error
      io.writeError(exit.message)
      if (verbose || statistics) print(`${pack}: bad\n`)
      code = 1
    }
  }
  return code
}

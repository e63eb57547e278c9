/** `verify-pack`: checks packs against their indexes. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isPacklensError } from '../../../base/errors.js'
import type { MaybePromise } from '../../../base/maybe.js'
import { isPromise, whenReady } from '../../../base/maybe.js'
import { parseOptions } from '../args/options.js'
import { Exit, failed, Misused } from '../base/exit.js'
import type { Command } from '../opening/command.js'
import type { ObjectFormat } from '../packs/pack-session.js'
import { formatOfIds, readPack } from '../packs/pack-session.js'
import { threadsFor, together } from '../repository/threads.js'

/** The output about a pack, and how the pack is read. */
interface Telling {
  readonly verbose: boolean
  readonly statistics: boolean
  readonly format: ObjectFormat
  readonly threads: string | undefined
}

export function verifyPack(command: Command, args: readonly string[]): MaybePromise<number> {
  let [verbose, statistics] = [false, false]
  let named: string | undefined
  let threads: string | undefined
  const packs = parseOptions(
    [
      { short: 'v', long: 'verbose', negatable: true, set: (_, no) => (verbose = !no) },
      { short: 's', long: 'stat-only', negatable: true, set: (_, no) => (statistics = !no) },
      { long: 'object-format', value: 'required', set: (value) => (named = value) },
      { long: 'threads', value: 'required', set: (value) => (threads = value) },
    ],
    args,
  )
  const isNumber = threads === undefined || /^\d+$/.test(threads)
  if (packs.length === 0 || !isNumber) throw new Misused()
  const telling = { verbose, statistics, format: formatOfIds(command, named), threads }
  const from = (at: number, code: number): MaybePromise<number> => {
    const given = packs[at]
    if (given === undefined) return code
    return whenReady(verdictOn(command, given, telling), (verdict) => from(at + 1, code | verdict))
  }
  return from(0, 0)
}

/** Verifies one pack and prints the result; returns 1 if the pack is bad. */
function verdictOn(command: Command, given: string, telling: Telling): MaybePromise<number> {
  const { verbose, statistics } = telling
  const { io } = command
  const pack = `${given.replace(/\.(pack|idx)$/, '')}.pack`
  const print = (verdict: string) => io.write(Buffer.from(`${pack}: ${verdict}\n`))
  const good = () => {
    if (verbose && !statistics) print('ok')
    return 0
  }
  const bad = (error: unknown) => {
    const exit = isPacklensError(error) ? failed(error) : error
    if (!(exit instanceof Exit)) throw error
    io.writeError(exit.message)
    if (verbose || statistics) print('bad')
    return 1
  }
  try {
    const verified = verify(command, pack, telling)
    return isPromise(verified) ? verified.then(good, bad) : good()
  } catch (error) {
    return bad(error)
  }
}

function verify(
  command: Command,
  pack: string,
  { verbose, statistics, format, threads: given }: Telling,
): MaybePromise<void> {
  const idx = pack.replace(/\.pack$/, '.idx')
  const { io } = command
  const inFolder = (file: string) => path.resolve(io.cwd, file)
  for (const file of [idx, pack]) {
    if (fs.existsSync(inFolder(file))) continue
    throw new Exit(128, `fatal: Cannot open existing pack file '${file}'\n`)
  }
  const text = (bytes: Uint8Array) => io.write(bytes)
  const threads = threadsFor(command, pack, given)
  if (threads > 1) {
    const listing = verbose || statistics ? { onListing: text, statOnly: statistics } : {}
    return together(command, threads, format, async (api, options) => {
      await api.checkPack(inFolder(pack), inFolder(idx), { ...options, ...listing })
    })
  }
  const flags = { verify: true, lines: verbose && !statistics, summary: verbose || statistics }
  readPack(command, { pack, idx }, format, flags, { text })
}

/** `index-pack --stdin`: stores a pack of standard input in the repository, with its index. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { MaybePromise } from '../../../base/maybe.js'
import { isPromise } from '../../../base/maybe.js'
import type { PackFacts, RecordReceiver } from '../../../objects/pack-records.js'
import { gitDirectoryAt } from '../../path-store.js'
import { environmentOf } from '../base/environment.js'
import { Exit, fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import type { Command } from '../opening/command.js'
import { threadsFor, together } from '../repository/threads.js'
import { toBytes } from '../text/bytes.js'
import { refuseCollisions } from './collisions.js'
import type { IndexPackArgs } from './index-pack-args.js'
import { StrictReport } from './index-pack-strict.js'
import type { ObjectFormat } from './pack-session.js'
import { readPack } from './pack-session.js'
import { linesOfSeverities } from './severities.js'
import { renamed, writeBeside } from './written.js'

const CHUNK = 1 << 20

/** The first bytes of a pack. */
const SIGNATURE = Buffer.from('PACK')

/** The result of indexing a pack: its indexes, and the tail that completes a thin one. */
interface Made extends PackFacts {
  readonly idx: Uint8Array
  readonly rev: Uint8Array
  readonly tail: Uint8Array
}

/** Stores and indexes a pack, and returns the exit code. */
export function indexPackFromStdin(command: Command, args: IndexPackArgs): MaybePromise<number> {
  const folder = packFolder(command)
  const { io } = command
  const format = command.open().reader.hexLength === 64 ? 'sha256' : 'sha1'
  const given = args.pack === undefined ? undefined : path.resolve(io.cwd, args.pack)
  if (given !== undefined && fs.existsSync(given)) {
    throw fatal(`unable to create '${args.pack}': File exists`)
  }
  const temporary = path.join(given ? path.dirname(given) : folder, `tmp_pack_${process.pid}`)
  const discard = () => fs.rmSync(temporary, { force: true })
  const report = new StrictReport(command)
  try {
    receive(io, temporary, args)
    const placed = (made: Made) => {
      refuseCollisions(command, made.idx, format)
      complete(temporary, made)
      place(io, { folder, temporary, given }, args, made)
      report.printMissing()
      return 0
    }
    const made = index(command, temporary, format, args, report)
    if (isPromise(made)) return made.then(placed).finally(discard)
    placed(made)
    discard()
    return 0
  } catch (error) {
    discard()
    throw report.ended(error)
  }
}

function packFolder(command: Command): string {
  try {
    const { gitDir } = command.open().place
    const { directories } = environmentOf(command.io)
    const { commonDir } = gitDirectoryAt(gitDir, directories) ?? { commonDir: gitDir }
    const folder = path.join(directories.objectDirectory ?? path.join(commonDir, 'objects'), 'pack')
    fs.mkdirSync(folder, { recursive: true })
    return folder
  } catch (error) {
    const none = error instanceof Exit && error.message.includes('not a git repository')
    throw none ? fatal('--stdin requires a git repository') : error
  }
}

/** Writes standard input to a file. Input that cannot be a pack is not read to its end. */
function receive(io: Io, file: string, { most, pack }: IndexPackArgs): void {
  const buffer = Buffer.alloc(CHUNK)
  const descriptor = openNew(file, pack)
  try {
    for (let size = 0; ; ) {
      const count = io.read(buffer)
      const begins = buffer.subarray(0, Math.max(0, SIGNATURE.length - size))
      const bytes = buffer.subarray(0, count)
      if (!SIGNATURE.subarray(size).subarray(0, count).equals(begins.subarray(0, count))) {
        throw fatal('pack signature mismatch')
      }
      if (count === 0) break
      for (let done = 0; done < count; ) done += fs.writeSync(descriptor, bytes, done)
      size += count
      if (most > 0 && size > most) {
        throw fatal(`pack exceeds maximum allowed size (${most} bytes)`)
      }
    }
    if (fs.fstatSync(descriptor).size < 12) throw fatal('early EOF')
  } finally {
    fs.closeSync(descriptor)
  }
}

function openNew(file: string, name: string | undefined): number {
  try {
    return fs.openSync(file, 'wx+', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw fatal(`unable to create '${name ?? file}': No such file or directory`)
  }
}

function index(
  command: Command,
  pack: string,
  format: ObjectFormat,
  { fixThin, threads: given, collisions, strict, severities }: IndexPackArgs,
  report: StrictReport,
): MaybePromise<Made> {
  const threads = strict !== 'no' ? 1 : threadsFor(command, pack, given)
  if (threads > 1) {
    const repository = fixThin ? command.open().place.gitDir : undefined
    return together(command, threads, format, async (api, options) => {
      const { completion, ...made } = await api.indexPack(pack, {
        ...options,
        repository,
        collisions,
      })
      return { ...made, tail: completion?.tail ?? new Uint8Array() }
    })
  }
  const pieces = { idx: [] as Uint8Array[], rev: [] as Uint8Array[], tail: [] as Uint8Array[] }
  const receiver: RecordReceiver = {
    index: (bytes) => pieces.idx.push(bytes.slice()),
    reverse: (bytes) => pieces.rev.push(bytes.slice()),
    tail: (bytes) => pieces.tail.push(bytes.slice()),
    finding: report.finding,
  }
  const beside = fixThin || strict !== 'no'
  const thin = fixThin ? 'fix' : 'refuse'
  const rules = toBytes(linesOfSeverities(severities, command.io.cwd))
  const flags = { index: true, reverse: true, thin, collisions, strict, rules } as const
  const facts = readPack(command, { pack, beside }, format, flags, receiver)
  const [idx, rev, tail] = [pieces.idx, pieces.rev, pieces.tail].map((all) => Buffer.concat(all))
  return { ...facts, idx, rev, tail } as Made
}

/** Completes a thin pack: writes its number of objects, and the tail over its checksum. */
function complete(file: string, { objects, oid, tail }: Made): void {
  if (tail.byteLength === 0) return
  const number = Buffer.alloc(4)
  number.writeUInt32BE(objects)
  const descriptor = fs.openSync(file, 'r+')
  try {
    fs.writeSync(descriptor, number, 0, 4, 8)
    let end = fs.fstatSync(descriptor).size - oid.length / 2
    for (let done = 0; done < tail.byteLength; ) {
      const count = fs.writeSync(descriptor, tail, done, tail.byteLength - done, end)
      done += count
      end += count
    }
  } finally {
    fs.closeSync(descriptor)
  }
}

interface Places {
  readonly folder: string
  readonly temporary: string
  readonly given: string | undefined
}

/** Moves the files to their names, the index last, because git sees the pack from then on. */
function place(
  io: Io,
  { folder, temporary, given }: Places,
  args: IndexPackArgs,
  made: Made,
): void {
  const { index, reverse, keep, promisor } = args
  const stem = path.join(folder, `pack-${made.oid}`)
  const pack = given ?? `${stem}.pack`
  const called = (ending: string) =>
    given === undefined ? `${stem}${ending}` : renamed(given, '.pack', ending)
  const idx = index === undefined ? called('.idx') : path.resolve(io.cwd, index)
  const kept = keep !== undefined && writeBeside(called('.keep'), keep)
  if (promisor !== undefined) writeBeside(called('.promisor'), promisor)
  publish(temporary, pack)
  if (reverse) write(index === undefined ? called('.rev') : renamed(idx, '.idx', '.rev'), made.rev)
  write(idx, made.idx)
  io.write(Buffer.from(`${kept ? 'keep' : 'pack'}\t${made.oid}\n`))
}

function write(name: string, bytes: Uint8Array): void {
  const temporary = `${name}.${process.pid}.tmp`
  fs.writeFileSync(temporary, bytes, { flag: 'wx' })
  publish(temporary, name)
}

/** Publishes a file under a name. An existing file is kept: its name means the same content. */
function publish(temporary: string, name: string): void {
  fs.chmodSync(temporary, 0o444)
  if (fs.existsSync(name)) fs.rmSync(temporary, { force: true })
  else fs.renameSync(temporary, name)
}

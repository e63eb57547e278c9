/** `bundle`: lists what is in a bundle, and checks that a repository has its prerequisites. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isPacklensError } from '../../../base/errors.js'
import type { BundleHeader, BundleLine } from '../../../objects/bundle-header.js'
import { readBundle } from '../../../opening/bundle.js'
import { revListRequest } from '../../../questions/history.js'
import { expectSync } from '../../../session/task.js'
import { fileFrom } from '../../../source/bytes.js'
import type { StoredFile } from '../../../source/store.js'
import { fileAt } from '../../path-store.js'
import { parseOptions } from '../args/options.js'
import { Exit, Misused, misused } from '../base/exit.js'
import { loadModule } from '../base/module.js'
import { safeBytes } from '../base/terminal.js'
import type { Command } from '../opening/command.js'
import type { Reader } from '../repository/reader.js'
import { memoryOf } from '../repository/reader.js'

/** The most bytes of the input that are read at once. */
const CHUNK = 64 << 10

export function bundle(command: Command, [name, ...args]: readonly string[]): number {
  if (name === 'verify') return verify(command, args)
  if (name === 'list-heads') return listHeads(command, args)
  parseOptions([], name === undefined ? [] : [name, ...args])
  const what = name === undefined ? 'need a subcommand' : `unknown subcommand: \`${name}'`
  throw new Misused(`error: ${what}\n`)
}

function listHeads({ io }: Command, args: readonly string[]): number {
  const [file, ...names] = parseOptions([], args)
  if (file === undefined) throw misused('need a <file> argument')
  const { refs } = read(io, file)
  const requested = names.map((name) => Buffer.from(name))
  const isListed = ({ text }: BundleLine) =>
    requested.length === 0 || requested.some((name) => name.equals(text))
  io.write(safeBytes(io, linesOf(refs.filter(isListed))))
  return 0
}

function verify(command: Command, args: readonly string[]): number {
  let quiet = false
  const [file] = parseOptions(
    [{ short: 'q', long: 'quiet', negatable: true, set: (_, no) => (quiet = !no) }],
    args,
  )
  if (file === undefined) throw misused('need a <file> argument')
  const { io } = command
  const reader = readerOf(command)
  const header = read(io, file)
  const complaint = lackOf(reader, header, quiet)
  if (complaint !== null) throw new Exit(1, complaint)
  if (!quiet) io.write(safeBytes(io, detailsOf(header)))
  io.writeError(`${nameOf(file)} is okay\n`)
  return 0
}

function readerOf(command: Command): Reader {
  try {
    return command.open().reader
  } catch (error) {
    const none = error instanceof Exit && error.message.includes('not a git repository')
    throw none ? new Exit(1, 'error: need a repository to verify a bundle\n') : error
  }
}

/** Returns git's message if a repository lacks prerequisites of a bundle; otherwise `null`. */
function lackOf(reader: Reader, { prerequisites }: BundleHeader, quiet: boolean): string | null {
  const lacking = prerequisites.filter(({ oid }) => reader.info(oid) === null)
  if (lacking.length > 0) {
    if (quiet) return ''
    const lines = lacking.map(({ oid }) => `error: ${oid} \n`).join('')
    return `error: Repository lacks these prerequisite commits:\n${lines}`
  }
  const oids = prerequisites.map(({ oid }) => oid)
  try {
    const request = revListRequest('countCommits', [...oids, '--not', '--all'], {}, 'count')
    if (oids.length > 0) reader.pages(request, () => {})
    return null
  } catch (error) {
    if (!isPacklensError(error, 'NOT_FOUND', 'CORRUPT')) throw error
    const what =
      "some prerequisite commits exist in the object store, but are not connected to the repository's history"
    return `error: ${what}\n`
  }
}

function detailsOf({ refs, prerequisites, objectFormat, filter }: BundleHeader): Buffer {
  const counted = (verb: string, { length }: readonly BundleLine[]) =>
    length === 1 ? `The bundle ${verb} this ref:\n` : `The bundle ${verb} these ${length} refs:\n`
  const plain = prerequisites.map(({ oid }) => ({ oid, text: new Uint8Array() }))
  return Buffer.concat([
    Buffer.from(counted('contains', refs)),
    linesOf(refs),
    prerequisites.length === 0
      ? Buffer.from('The bundle records a complete history.\n')
      : Buffer.concat([Buffer.from(counted('requires', prerequisites)), linesOf(plain)]),
    Buffer.from(`The bundle uses this hash algorithm: ${objectFormat}\n`),
    Buffer.from(filter === null ? '' : `The bundle uses this filter: ${filter}\n`),
  ])
}

function linesOf(lines: readonly BundleLine[]): Buffer {
  return Buffer.concat(
    lines.flatMap(({ oid, text }) => [Buffer.from(`${oid} `), text, Buffer.from('\n')]),
  )
}

/** Reads the header of a bundle, from the standard input if `given` is `-`. */
function read(io: Command['io'], given: string): BundleHeader {
  loadModule()
  const memory = memoryOf(io.env.PACKLENS_MEMORY)
  const file = given === '-' ? fileFrom(headOfInput(io, memory)) : fileOf(io, given)
  const options = { memory, baseCache: 0, verify: 'oid', objectFormat: undefined } as const
  try {
    return expectSync(readBundle(file, options))
  } catch (error) {
    if (!isPacklensError(error, 'CORRUPT', 'UNSUPPORTED')) throw error
    const complaint = complaintOf(error.message, error.subject ?? '', nameOf(given))
    throw new Exit(1, `error: ${complaint}\n`)
  } finally {
    file.close?.()
  }
}

/** Returns the name of a bundle for messages. */
function nameOf(given: string): string {
  return given === '-' ? '<stdin>' : given
}

function fileOf({ cwd }: Command['io'], given: string): StoredFile {
  const place = path.resolve(cwd, given)
  if (!fs.statSync(place, { throwIfNoEntry: false })?.isFile()) {
    throw new Exit(1, `error: could not open '${given}'\n`)
  }
  return fileAt(place)
}

/** Reads the input up to the empty line that ends its header, or until memory gets short. */
function headOfInput(io: Command['io'], memory: number): Uint8Array {
  const pieces: Buffer[] = []
  const piece = Buffer.alloc(CHUNK)
  let size = 0
  let last = Buffer.alloc(0)
  for (let count = io.read(piece); count > 0; count = io.read(piece)) {
    const taken = Buffer.from(piece.subarray(0, count))
    pieces.push(taken)
    size += count
    const isWhole = Buffer.concat([last, taken]).includes('\n\n')
    if (isWhole || size > memory / 8) break
    last = taken.subarray(-1)
  }
  return Buffer.concat(pieces)
}

/** Returns git's message about a header that it refuses. */
function complaintOf(message: string, subject: string, given: string): string {
  if (message.startsWith('a line of the bundle')) {
    return `unrecognized header: ${subject} (${Buffer.byteLength(subject.replace(/^-/, ''))})`
  }
  if (message.startsWith('a capability of the bundle')) return `unknown capability '${subject}'`
  if (message.startsWith('the hash of the bundle')) {
    return `unrecognized bundle hash algorithm: ${subject.replace(/^object-format=/, '')}`
  }
  return `'${given}' does not look like a v2 or v3 bundle file`
}

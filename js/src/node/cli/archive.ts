/** `archive`: writes the files of a tree as a tar or zip file. */
import * as fs from 'node:fs'
import type { ArchiveQuestion } from '../../base/protocol.js'
import { bytesOfArgument, textOfBytes, toBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { fatal, Misused } from './exit.js'
import { type Option, parseOptions } from './options.js'
import { normalizePath } from './place.js'

interface Parsed {
  format: string | undefined
  /** Bytes. */
  prefix: string
  output: string | undefined
  mtime: number | undefined
  list: boolean
}

const FORMATS = ['tar', 'zip'] as const

export function archive(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    format: undefined,
    prefix: '',
    output: undefined,
    mtime: undefined,
    list: false,
  }
  const [spec, ...paths] = parseOptions(optionsOf(parsed), args)
  if (parsed.list) {
    command.io.write(Buffer.from(`${FORMATS.join('\n')}\n`))
    return 0
  }
  if (spec === undefined) throw new Misused()
  const format = formatOf(parsed)
  const opened = command.open()
  if (opened.place.prefix !== '') {
    throw fatal('packlens archive runs at the top of the work tree only')
  }
  const oid = treeOf(opened, bytesOfArgument(spec))
  const selected = paths.map((path) => pathOf(opened, oid, path))
  const question: ArchiveQuestion = {
    kind: 'archive',
    spec: oid,
    format,
    prefix: parsed.prefix === '' ? undefined : toBytes(parsed.prefix),
    paths: selected.length > 0 ? opened.reader.specs(selected) : undefined,
    mtime: parsed.mtime,
    now: Math.floor(Date.now() / 1000),
  }
  write(opened, parsed.output, question)
  return 0
}

function optionsOf(parsed: Parsed): Option[] {
  const refused = (long: string, value?: 'required'): Option => ({
    long,
    ...(value ? { value } : {}),
    negatable: true,
    set: (_, negated) => {
      if (!negated) throw fatal(`packlens archive does not support --${long}`)
    },
  })
  return [
    {
      long: 'format',
      value: 'required',
      negatable: true,
      set: (value) => (parsed.format = value),
    },
    {
      long: 'prefix',
      value: 'required',
      negatable: true,
      set: (value = '') => (parsed.prefix = bytesOfArgument(value)),
    },
    {
      short: 'o',
      long: 'output',
      value: 'required',
      negatable: true,
      set: (value) => (parsed.output = value),
    },
    { long: 'mtime', value: 'required', set: (value = '') => (parsed.mtime = secondsOf(value)) },
    {
      short: 'l',
      long: 'list',
      negatable: true,
      set: (_, negated) => (parsed.list = !negated),
    },
    refused('add-file', 'required'),
    refused('add-virtual-file', 'required'),
    refused('worktree-attributes'),
    refused('verbose'),
    refused('remote', 'required'),
    refused('exec', 'required'),
  ]
}

function secondsOf(value: string): number {
  const seconds = /^@?(\d{1,12})$/.exec(value)?.[1]
  if (seconds === undefined) throw fatal('packlens archive takes seconds since 1970 as --mtime')
  return Number(seconds)
}

/** Returns the format that is given, or that the name of the output has. */
function formatOf({ format, output = '' }: Parsed): (typeof FORMATS)[number] {
  if (format === undefined) {
    if (/\.(tgz|tar\.gz)$/.test(output)) throw fatal('packlens archive does not compress tar files')
    return output.endsWith('.zip') ? 'zip' : 'tar'
  }
  const found = FORMATS.find((one) => one === format)
  if (found) return found
  const isCompressed = format === 'tgz' || format === 'tar.gz'
  throw fatal(
    isCompressed
      ? 'packlens archive does not compress tar files'
      : `Unknown archive format '${format}'`,
  )
}

/** Returns the id of a commit, or of a tree without one. */
function treeOf({ names, reader }: Opened, spec: string): string {
  const oid = names.find(spec)
  if (oid === null) throw fatal(`not a valid object name: ${textOfBytes(spec)}`)
  names.warn(spec)
  if (reader.find(`${oid}^{tree}`) === null) throw fatal(`not a tree object: ${oid}`)
  return oid
}

function pathOf({ reader }: Opened, oid: string, given: string): string {
  const path = normalizePath('', bytesOfArgument(given))
  const isThere = path !== null && (path === '' || reader.find(`${oid}^{tree}:${path}`) !== null)
  if (!isThere) throw fatal(`pathspec '${given}' did not match any files`)
  return path
}

function write(
  { io, reader }: Opened,
  output: string | undefined,
  question: ArchiveQuestion,
): void {
  if (output === undefined) {
    reader.pages(question, (page) => io.write(page))
    return
  }
  let file: number
  try {
    file = fs.openSync(output, 'w')
  } catch {
    throw fatal(`could not create archive file '${output}'`)
  }
  try {
    reader.pages(question, (page) => fs.writeFileSync(file, page))
  } finally {
    fs.closeSync(file)
  }
}

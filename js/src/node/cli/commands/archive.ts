/** `archive`: writes the files of a tree as a tar file, compressed or not, or as a zip file. */
import * as fs from 'node:fs'
import { isPacklensError } from '../../../base/errors.js'
import type { ArchiveQuestion } from '../../../base/protocol.js'
import { Exit, fatal } from '../base/exit.js'
import { type ArchiveArgs, archiveArgs } from '../objects/archive-args.js'
import type { Command, Opened } from '../opening/command.js'
import { elementsFromTop } from '../repository/pathspec.js'
import { bytesOfArgument, fromBytes, textOfBytes, toBytes } from '../text/bytes.js'

type Format = NonNullable<ArchiveQuestion['format']>

/** The formats by git's names for them, but for those that `tar.<format>.command` defines. */
const FORMATS: Readonly<Record<string, Format>> = {
  tar: 'tar',
  tgz: 'tar.gz',
  'tar.gz': 'tar.gz',
  zip: 'zip',
}

/** What compresses as packlens does itself; other commands are not run. */
const GZIP = /^(git archive )?gzip( -[cn]+)*$/

export function archive(command: Command, args: readonly string[]): number {
  const parsed = archiveArgs(args)
  if (parsed.list) {
    command.io.write(Buffer.from([...formatsOf(command), ''].join('\n')))
    return 0
  }
  const [spec = '', ...paths] = parsed.operands
  const opened = command.open()
  const format = formatOf(opened, parsed)
  const oid = treeOf(opened, bytesOfArgument(spec))
  const elements = elementsFromTop(opened, paths)
  const { prefix: directory } = opened.place
  const question: ArchiveQuestion = {
    kind: 'archive',
    spec: oid,
    format,
    prefix: parsed.prefix === '' ? undefined : toBytes(parsed.prefix),
    directory: directory === '' ? undefined : toBytes(directory),
    pathspec: elements.length > 0 ? opened.reader.specs(elements) : undefined,
    level: parsed.level,
    mtime: parsed.mtime,
    now: Math.floor(Date.now() / 1000),
  }
  try {
    write(opened, parsed, question)
  } catch (error) {
    if (!isPacklensError(error, 'NOT_FOUND', 'BAD_INPUT', 'CORRUPT')) throw error
    const at = elements.indexOf(bytesOfArgument(error.subject ?? ''))
    const path = paths[at]
    if (path === undefined) return unreadable(opened, question, error)
    const why =
      error.code === 'NOT_FOUND'
        ? 'did not match any files'
        : 'matches files outside the current directory'
    throw fatal(`pathspec '${path}' ${why}`)
  }
  return 0
}

/** Returns git's exit code if the trees can be read, so that the content of a file cannot. */
function unreadable({ io, reader }: Opened, question: ArchiveQuestion, error: Error): number {
  try {
    reader.pages({ ...question, format: 'list' }, () => {})
  } catch {
    throw error
  }
  io.writeError(`error: ${error.message}\n`)
  return 255
}

/** Returns the formats that the configuration adds with a command, by their names. */
function addedFormats({ settings }: Opened): string[] {
  return settings.names.flatMap((name) => {
    const [, format] = /^tar\.(.+)\.command$/s.exec(name) ?? []
    return format === undefined || Object.hasOwn(FORMATS, format) ? [] : [format]
  })
}

/** Returns the names of all formats, in git's order: zip is the last. */
function formatsOf(command: Command): string[] {
  const { zip: _, ...formats } = FORMATS
  return [...Object.keys(formats), ...repositoryFormats(command), 'zip']
}

/** Returns what a repository adds, if there is one. */
function repositoryFormats(command: Command): string[] {
  try {
    return addedFormats(command.open())
  } catch (error) {
    if (error instanceof Exit) return []
    throw error
  }
}

/** Returns the format that is given, or that the name of the output has. */
function formatOf(opened: Opened, parsed: ArchiveArgs): Format {
  const { output = '', level } = parsed
  const added = addedFormats(opened)
  const byName = [...Object.keys(FORMATS), ...added].find((one) => output.endsWith(`.${one}`))
  const name = parsed.format ?? byName ?? 'tar'
  const format = FORMATS[name]
  if (format === undefined && !added.includes(name)) throw fatal(`Unknown archive format '${name}'`)
  const program = opened.settings.text(`tar.${name}.command`)
  if (format === undefined || (format === 'tar.gz' && program && !GZIP.test(program))) {
    throw fatal(`packlens archive runs no programs: tar.${name}.command is '${program}'`)
  }
  if (level !== undefined && (format === 'tar' || level > 9)) {
    throw fatal(`Argument not supported for format '${name}': -${level}`)
  }
  return format
}

/** Returns the id of a commit, or of a tree without one. */
function treeOf({ names, reader }: Opened, spec: string): string {
  const oid = names.find(spec)
  if (oid === null) throw fatal(`not a valid object name: ${textOfBytes(spec)}`)
  names.warn(spec)
  if (reader.find(`${oid}^{tree}`) === null) throw fatal(`not a tree object: ${oid}`)
  return oid
}

function write(
  { io, reader }: Opened,
  { output, verbose }: ArchiveArgs,
  question: ArchiveQuestion,
): void {
  if (verbose) {
    const paths: string[] = []
    reader.pages({ ...question, format: 'list' }, (page) => paths.push(fromBytes(page)))
    io.writeError(textOfBytes(paths.join('')))
  }
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

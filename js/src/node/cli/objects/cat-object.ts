/** `cat-file` for one object. */

import { isPacklensError } from '../../../base/errors.js'
import { compileQuickly } from '../base/compiler.js'
import { isPackDamage } from '../base/damage.js'
import { fatal } from '../base/exit.js'
import { moduleFor } from '../base/module.js'
import { Lines } from '../base/output.js'
import type { Command } from '../opening/command.js'
import { type Mailmapped, mailmapped } from '../pretty/mailmapped.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'
import { readTree } from './trees.js'

/** The request about an object: a switch, or the type to print its content as. */
export type ObjectRequest = 'e' | 'p' | 's' | 't' | { readonly type: string }

const TYPES = ['commit', 'tree', 'blob', 'tag']

/** @param usesMailmap whether persons are replaced as the mailmap says */
export function catObject(
  command: Command,
  request: ObjectRequest,
  spec: string,
  usesMailmap: boolean,
): number {
  compileQuickly()
  const opened = command.open(usesMailmap ? 'full' : moduleFor([spec]))
  const { io, reader, names } = opened
  const name = bytesOfArgument(spec)
  const oid = names.require(name)
  const mapped = usesMailmap ? mailmapped(opened) : () => null
  switch (request) {
    case 'e':
      return exists(reader, oid) ? 0 : 1
    case 't':
    case 's': {
      const info = reader.info(oid)
      if (!info) throw fatal('git cat-file: could not get object info')
      const size = mapped(oid)?.length ?? info.size
      io.write(Buffer.from(`${request === 't' ? info.type : size}\n`))
      return 0
    }
    case 'p':
      return prettyPrint(command, oid, name, mapped)
    default:
      return contentOfType(command, [oid, name], request.type, mapped)
  }
}

/** Returns whether an object exists. A damaged one does, unless its whole pack is unusable. */
function exists(reader: Reader, oid: string): boolean {
  try {
    return reader.info(oid) !== null
  } catch (error) {
    if (isPackDamage(error)) return false
    if (isPacklensError(error, 'CORRUPT')) return true
    throw error
  }
}

function prettyPrint(command: Command, oid: string, name: string, mapped: Mailmapped): number {
  const { io, reader, names, quote } = command.open()
  if (reader.info(oid)?.type === 'tree') {
    const lines = new Lines(io)
    for (const { mode, type, oid: id, name } of readTree(reader, oid) ?? []) {
      lines.add(`${mode} ${type} ${id}\t${quote(name)}\n`)
    }
    lines.flush()
    return 0
  }
  if (printContent(command, oid, mapped)) return 0
  throw names.invalid(name)
}

/** Prints the object of a type that `oid` peels to: tags to their targets, commits to trees. */
function contentOfType(
  command: Command,
  [oid, name]: readonly [oid: string, name: string],
  type: string,
  mapped: Mailmapped,
): number {
  if (!TYPES.includes(type)) throw fatal(`invalid object type "${type}"`)
  const peeled = command.open().reader.find(`${oid}^{${type}}`)
  if (peeled !== null && printContent(command, peeled, mapped)) return 0
  throw fatal(`git cat-file ${textOfBytes(name)}: bad file`)
}

function printContent(command: Command, oid: string, mapped: Mailmapped): boolean {
  const { io, reader } = command.open()
  const content = mapped(oid)
  if (content) {
    io.write(content)
    return true
  }
  return reader.stream(oid, (chunk) => {
    if (chunk.byteLength > 0) io.write(chunk)
  })
}

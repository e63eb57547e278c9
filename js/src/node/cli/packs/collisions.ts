/** Checks that a repository has no other object with an id of a pack, for `index-pack`. */
import { hex } from '../../../base/hex.js'
import { isDamage } from '../base/damage.js'
import { fatal } from '../base/exit.js'
import type { Command } from '../opening/command.js'
import type { ObjectFormat } from './pack-session.js'

/** The offsets of the ids and of their number, in an index of version 2. */
const IDS = 8 + 256 * 4
const COUNT = IDS - 4

/**
 * Reads and verifies the objects of a pack that the repository has too. The pack's objects
 * hash to their ids, so another object stored under one of the ids does not.
 *
 * @throws Exit like git, which compares the contents instead
 */
export function refuseCollisions(command: Command, idx: Uint8Array, format: ObjectFormat): void {
  const { reader } = command.open()
  const length = format === 'sha256' ? 32 : 20
  if (reader.hexLength !== length * 2) return
  const count = new DataView(idx.buffer, idx.byteOffset).getUint32(COUNT)
  for (let at = 0; at < count; at++) {
    const start = IDS + at * length
    const oid = hex(idx.subarray(start, start + length))
    const read = readOrFail(() => reader.info(oid), `cannot read existing object info ${oid}`)
    if (read) readOrFail(() => reader.stream(oid, () => {}), `SHA1 COLLISION FOUND WITH ${oid} !`)
  }
}

/** Reads an object with `ask`; a damaged one ends the command with `words`. */
function readOrFail<T>(ask: () => T, words: string): T {
  try {
    return ask()
  } catch (error) {
    throw isDamage(error) ? fatal(words) : error
  }
}

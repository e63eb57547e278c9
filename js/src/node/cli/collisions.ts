/** Objects that a repository has as well as a pack: `index-pack` takes no others for them. */
import { hex } from '../../hex.js'
import type { Command } from './command.js'
import { isDamage } from './damage.js'
import { fatal } from './exit.js'
import type { ObjectFormat } from './pack-session.js'

/** An index: what stands before the ids, and where it has how many there are. */
const IDS = 8 + 256 * 4
const COUNT = IDS - 4

/**
 * Reads the objects that the repository has too. Those of the pack have the ids of their
 * contents: another one of the same id does not.
 *
 * @throws Exit as git, which compares the contents
 */
export function refuseCollisions(command: Command, idx: Uint8Array, format: ObjectFormat): void {
  const { reader } = command.open()
  const length = format === 'sha256' ? 32 : 20
  if (reader.hexLength !== length * 2) return
  const count = new DataView(idx.buffer, idx.byteOffset).getUint32(COUNT)
  for (let at = 0; at < count; at++) {
    const start = IDS + at * length
    const oid = hex(idx.subarray(start, start + length))
    const read = told(() => reader.info(oid), `cannot read existing object info ${oid}`)
    if (read) told(() => reader.stream(oid, () => {}), `SHA1 COLLISION FOUND WITH ${oid} !`)
  }
}

/** Asks for an object; one that is damaged ends the command. */
function told<T>(ask: () => T, words: string): T {
  try {
    return ask()
  } catch (error) {
    throw isDamage(error) ? fatal(words) : error
  }
}

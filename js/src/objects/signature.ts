/** Who did something, and when: `Name <email> seconds zone`. */
import { text } from '../records.js'
import type { Signature } from '../types.js'

const LESS = 60
const GREATER = 62

/** Takes a signature apart as git does; what is not there is empty. */
export function decodeSignature(
  raw: Uint8Array,
  decode: (bytes: Uint8Array) => string = text,
): Signature {
  const open = raw.indexOf(LESS)
  if (open < 0) return { name: decode(raw).trim(), email: '', seconds: null, offset: 0, raw }
  const name = decode(raw.subarray(0, open)).trim()
  const close = raw.indexOf(GREATER, open)
  if (close < 0) {
    return { name, email: decode(raw.subarray(open + 1)), seconds: null, offset: 0, raw }
  }
  const email = decode(raw.subarray(open + 1, close))
  const behind = text(raw.subarray(raw.lastIndexOf(GREATER) + 1))
  const when = /^\s*([0-9]+)(?:\s*([+-])([0-9]*))?/.exec(behind)
  if (!when) return { name, email, seconds: null, offset: 0, raw }
  const zone = Number(when[3] || 0)
  const minutes = Math.trunc(zone / 100) * 60 + (zone % 100)
  const offset = when[2] === '-' && minutes > 0 ? -minutes : minutes
  return { name, email, seconds: Number(when[1]), offset, raw }
}

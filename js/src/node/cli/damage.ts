/** What counts as damage where git goes on with the next object. */
import { isPacklensError, type PacklensError } from '../../errors.js'

/** The length of the header of a pack: its signature, version and number of objects. */
const PACK_HEADER = 12

/** Tells whether an object cannot be read since its pack has a header that git refuses. */
export function isPackDamage(error: unknown): boolean {
  if (!isPacklensError(error, 'CORRUPT', 'UNSUPPORTED')) return false
  return /\.pack$/.test(error.file ?? '') && (error.offset ?? 0) < PACK_HEADER
}

/** Tells whether an object cannot be read since its bytes are damaged. */
export function isDamage(error: unknown): error is PacklensError {
  return isPacklensError(error, 'CORRUPT') || isPackDamage(error)
}

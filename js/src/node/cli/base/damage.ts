/** Classifies errors as damage, after which git continues with the next object. */
import { isPacklensError, type PacklensError } from '../../../base/errors.js'

/** The length of the header of a pack: its signature, version and number of objects. */
const PACK_HEADER = 12

/** Returns whether an object is unreadable because git refuses the header of its pack. */
export function isPackDamage(error: unknown): boolean {
  if (!isPacklensError(error, 'CORRUPT', 'UNSUPPORTED')) return false
  return /\.pack$/.test(error.file ?? '') && (error.offset ?? 0) < PACK_HEADER
}

/** Returns whether an object is unreadable because of damage to it or its pack's header. */
export function isDamage(error: unknown): error is PacklensError {
  return isPacklensError(error, 'CORRUPT') || isPackDamage(error)
}

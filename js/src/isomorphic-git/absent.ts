/** Distinguishes what does not exist from what cannot be read. */
import { isPacklensError } from '../index.js'

/** Returns `null` if the object, path or ref does not exist, or is no tree, commit and the like. */
export async function unlessAbsent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isPacklensError(error, 'NOT_FOUND', 'WRONG_TYPE')) return null
    throw error
  }
}

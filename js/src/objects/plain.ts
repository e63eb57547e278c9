/** Objects as plain data: for `JSON.stringify`, and for the console of Node. */
import { isPacklensError } from '../errors.js'

/** What `console.log` of Node calls, by the name that needs no import. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/**
 * Returns what a console shows of an object: its plain data; of a damaged one the error,
 * since nobody catches what `console.log` throws.
 */
export function shown(object: { toJSON(): object }): object {
  try {
    return object.toJSON()
  } catch (error) {
    if (!isPacklensError(error)) throw error
    return error
  }
}

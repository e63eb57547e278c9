/** Objects as plain data: for `JSON.stringify`, and for the console of Node. */
import { isPacklensError } from '../base/errors.js'

/** The method that Node's `console.log` calls; this symbol needs no import. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/**
 * Returns the plain data of an object for a console. For a damaged object it returns the
 * error, because callers do not expect `console.log` to throw.
 */
export function shown(object: { toJSON(): object }): object {
  try {
    return object.toJSON()
  } catch (error) {
    if (!isPacklensError(error)) throw error
    return error
  }
}

/** Functions of isomorphic-git that packlens does not have. */
import { PacklensError } from '../index.js'
import { called } from './calls.js'

/** Fails; its parameters are those of isomorphic-git's function. */
export type Unsupported = (parameters?: object) => Promise<never>

/** Returns a function in place of one that writes, or talks to a server. */
export function writing(name: string): Unsupported {
  const what = `packlens only reads: call \`${name}\` of isomorphic-git itself`
  return () => called(name, () => Promise.reject(new PacklensError('UNSUPPORTED', what)))
}

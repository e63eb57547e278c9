/** Functions of isomorphic-git that packlens does not have. */
import { PacklensError } from '../index.js'
import { called } from './calls.js'

/** Fails; its parameters are those of isomorphic-git's function. */
export type Unsupported = (parameters?: object) => Promise<never>

/** Returns a function in place of one that writes, or talks to a server. */
export function writing(name: string): Unsupported {
  const what = `packlens only reads: call \`${name}\` of isomorphic-git itself`
  return failing(name, () => new PacklensError('UNSUPPORTED', what))
}

/** Returns a function in place of one that reads what packlens does not read yet. */
export function later(name: string, subject: string): Unsupported {
  return failing(name, () => notYet(subject))
}

export function notYet(subject: string): PacklensError {
  const what = `packlens does not read ${subject} yet: call isomorphic-git itself`
  return new PacklensError('UNSUPPORTED', what)
}

function failing(name: string, error: () => PacklensError): Unsupported {
  return () => called(name, () => Promise.reject(error()))
}

/** Helpers to look at answers, in any environment. */
import type { ErrorCode, PacklensError } from 'packlens'
import { isPacklensError } from 'packlens'

/**
 * Returns the error of a call; fails if there is none.
 * `isOne` is that of another copy of the package, if the call is to that copy.
 */
export async function errorOf(
  ask: () => unknown,
  isOne: typeof isPacklensError = isPacklensError,
): Promise<PacklensError> {
  try {
    await ask()
  } catch (error) {
    if (isOne(error)) return error
    throw error
  }
  throw new Error('this should have failed')
}

export async function codeOf(ask: () => unknown): Promise<ErrorCode> {
  return (await errorOf(ask)).code
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** How answers are looked at, wherever they are given. */
import type { ErrorCode, PacklensError } from 'packlens'
import { isPacklensError } from 'packlens'

/**
 * The error that a call ends with; it is an error of the test if there is none.
 * `isOne` is that of another copy of the package, where it is that which is asked.
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

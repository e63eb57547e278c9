/** Work of several steps that may wait, written once for calls with and without promises. */
import type { MaybePromise } from './maybe.js'
import { isPromise } from './maybe.js'

/** A generator that yields the values that it waits for, by `yield* wait(value)`. */
export type Steps<T> = Generator<unknown, T, never>

/** Waits for a value, if it is a promise. */
export function* wait<T>(value: MaybePromise<T>): Generator<MaybePromise<T>, T, T> {
  return yield value
}

/** Runs all steps; returns no promise if none of them has to wait. */
export function take<T>(steps: Steps<T>): MaybePromise<T> {
  const from = (first: IteratorResult<unknown, T>): MaybePromise<T> => {
    let step = first
    while (!step.done) {
      const { value } = step
      if (isPromise(value)) {
        return value.then(
          (ready) => from(steps.next(ready as never)),
          (error) => from(steps.throw(error)),
        )
      }
      step = steps.next(value as never)
    }
    return step.value
  }
  return from(steps.next(undefined as never))
}

/** Serializes errors between threads, and preserves the identity of the page's errors. */
import type { ErrorCode } from '../base/errors.js'
import { PacklensError, whereabouts } from '../base/errors.js'

/** A serialized error. Its fields fit JSON, in which frames hold errors. */
type Wire =
  | {
      readonly kind: 'packlens'
      readonly code: ErrorCode
      readonly message: string
      readonly file: string | undefined
      readonly offset: number | undefined
      readonly subject: string | undefined
      readonly status: number | undefined
      readonly cause: Wire | undefined
    }
  | { readonly kind: 'exception'; readonly name: string; readonly message: string }
  | { readonly kind: 'error'; readonly message: string; readonly facts: Facts }
  | { readonly kind: 'value'; readonly text: string }
  /** An error thrown by the page, which keeps the original under this number. */
  | { readonly kind: 'kept'; readonly number: number; readonly like: Wire }

type Facts = Readonly<Record<string, string | number>>

/** The properties that are sent besides the message; `node:fs` sets most of them. */
const FACTS = ['name', 'stack', 'code', 'errno', 'syscall', 'path']

/** The most nested causes that are sent. Deeper ones are of no use, and cycles must end. */
const MOST_CAUSES = 4

/** The worker's end: remembers the numbers of the page's errors that pass through it. */
export class Failures {
  readonly #numbers = new WeakMap<object, number>()

  encode(error: unknown): Wire {
    return encode(error, MOST_CAUSES, (error) => this.#numbers.get(error as object))
  }

  decode(wire: unknown): unknown {
    const known = checkedWire(wire)
    if (known.kind !== 'kept') return decode(known)
    const error = decode(known.like)
    this.#numbers.set(error as object, known.number)
    return error
  }
}

/** The page's end: an error thrown here that returns from the worker is the same object. */
export class KeptFailures {
  readonly #kept = new Map<number, unknown>()
  #last = 0

  encode(error: unknown): Wire {
    this.#kept.set(++this.#last, error)
    return { kind: 'kept', number: this.#last, like: encode(error, MOST_CAUSES) }
  }

  decode(wire: unknown): unknown {
    return decode(checkedWire(wire), this.#kept)
  }

  /** Forgets all errors, once no answer can name them. */
  clear(): void {
    this.#kept.clear()
  }
}

function encode(
  error: unknown,
  causes: number,
  numberOf: (error: unknown) => number | undefined = () => undefined,
): Wire {
  const number = numberOf(error)
  const like = encodeAnew(error, causes, numberOf)
  return number === undefined ? like : { kind: 'kept', number, like }
}

function encodeAnew(
  error: unknown,
  causes: number,
  numberOf: (error: unknown) => number | undefined,
): Wire {
  if (!(error instanceof Error)) return { kind: 'value', text: textOf(error) }
  const { name, message } = error
  if (error instanceof PacklensError) {
    const { code, file, offset, subject, status, cause } = error
    const hasCause = cause !== undefined && causes > 0
    const inner = hasCause ? encode(cause, causes - 1, numberOf) : undefined
    return { kind: 'packlens', code, message, file, offset, subject, status, cause: inner }
  }
  if (typeof DOMException !== 'undefined' && error instanceof DOMException) {
    return { kind: 'exception', name, message }
  }
  const known = FACTS.map((fact) => [fact, (error as never as Record<string, unknown>)[fact]])
  const facts = known.filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return { kind: 'error', message, facts: Object.fromEntries(facts) as Facts }
}

function decode(wire: Wire, kept?: ReadonlyMap<number, unknown>): unknown {
  switch (wire.kind) {
    case 'kept':
      return kept?.has(wire.number) ? kept.get(wire.number) : decode(wire.like, kept)
    case 'packlens': {
      const { code, message, file, offset, subject, status } = wire
      const cause = wire.cause && decode(wire.cause, kept)
      const what = message.slice(0, message.length - whereabouts(wire).length)
      return new PacklensError(code, what, { file, offset, subject, status, cause })
    }
    case 'exception':
      return new DOMException(wire.message, wire.name)
    case 'error': {
      const error = new Error(wire.message)
      for (const [fact, value] of Object.entries(wire.facts)) {
        Object.defineProperty(error, fact, { value, configurable: true, writable: true })
      }
      return error
    }
    default:
      return new Error(wire.text)
  }
}

/** Returns the text of a thrown value. Any value can be thrown, and `String` may throw too. */
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'something that is not an error'
  }
}

/** Returns a serialized error; a malformed one is replaced, so that the call still fails. */
function checkedWire(value: unknown): Wire {
  const known = typeof value === 'object' && value !== null && 'kind' in value
  return known ? (value as Wire) : { kind: 'value', text: 'an error that cannot be read' }
}

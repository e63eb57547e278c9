/** Errors on their way between threads: what they say, and who they are. */
import type { ErrorCode } from '../errors.js'
import { PacklensError, whereabouts } from '../errors.js'

/** An error as it crosses; JSON could hold it. */
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
  /** Thrown by the page, which keeps it under this number. */
  | { readonly kind: 'kept'; readonly number: number; readonly like: Wire }

type Facts = Readonly<Record<string, string | number>>

/** What errors tell besides their message; those of `node:fs` have most of them. */
const FACTS = ['name', 'stack', 'code', 'errno', 'syscall', 'path']

/** Causes of causes: nobody looks further, and a circle must end. */
const MOST_CAUSES = 4

/** The worker's end: errors of the page pass through, and are known again. */
export class Failures {
  readonly #numbers = new WeakMap<object, number>()

  encode(error: unknown): Wire {
    return encode(error, MOST_CAUSES, (error) => this.#numbers.get(error as object))
  }

  decode(wire: unknown): unknown {
    const known = asWire(wire)
    if (known.kind !== 'kept') return decode(known)
    const error = decode(known.like)
    this.#numbers.set(error as object, known.number)
    return error
  }
}

/** The page's end: what is thrown there comes out as the very same. */
export class KeptFailures {
  readonly #kept = new Map<number, unknown>()
  #last = 0

  encode(error: unknown): Wire {
    this.#kept.set(++this.#last, error)
    return { kind: 'kept', number: this.#last, like: encode(error, MOST_CAUSES) }
  }

  decode(wire: unknown): unknown {
    return decode(asWire(wire), this.#kept)
  }

  /** Forgets them all, once no answer can name them. */
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
    const told = cause !== undefined && causes > 0
    const inner = told ? encode(cause, causes - 1, numberOf) : undefined
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

/** Anything can be thrown, and not all of it can be written. */
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'something that is not an error'
  }
}

/** What says nothing that is known is an error all the same. */
function asWire(value: unknown): Wire {
  const known = typeof value === 'object' && value !== null && 'kind' in value
  return known ? (value as Wire) : { kind: 'value', text: 'an error that cannot be read' }
}

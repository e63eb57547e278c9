/** Questions on their way to the core: see `crate/wasm/src/protocol`. */
import { type LongQuestion, QUESTIONS, type ShortQuestion } from './protocol.js'
import type { Ask, Session } from './session.js'
import { encodeName } from './specs.js'

type Bytes = Uint8Array<ArrayBuffer>

/** A field: its name, how it is written, and words or what stands for nothing. */
type Field = readonly [name: string, kind: keyof typeof SIZES, ...words: string[]]

/** How many bytes of the head a field takes. */
const SIZES = { flag: 1, choice: 1, set: 1, number: 8, bytes: 4, text: 4, names: 4 } as const

const encoder = new TextEncoder()

/** By their numbers. */
const KINDS = Object.keys(QUESTIONS)

/** The length of what is not given. */
const NONE = 0xffff_ffff

/**
 * Writes a question: its number and a head of fixed length, and behind that, in pieces of
 * their own, the fields that have a length.
 */
export function encodeQuestion(question: LongQuestion | ShortQuestion): Uint8Array[] {
  const fields: readonly Field[] = QUESTIONS[question.kind]
  const values = question as unknown as Readonly<Record<string, unknown>>
  const head = new DataView(new ArrayBuffer(fields.reduce((sum, [, kind]) => sum + SIZES[kind], 1)))
  const pieces: Uint8Array[] = [new Uint8Array(head.buffer)]
  head.setUint8(0, KINDS.indexOf(question.kind))
  let at = 1
  for (const [name, kind, ...words] of fields) {
    const value = values[name]
    if (kind === 'flag') head.setUint8(at, value ? 1 : 0)
    else if (kind === 'choice')
      head.setUint8(at, value === undefined ? 0 : words.indexOf(value as string))
    else if (kind === 'set') head.setUint8(at, bitsOf(value as readonly string[], words))
    else if (kind === 'number') {
      head.setFloat64(at, (value as number | undefined) ?? Number(words[0]), true)
    } else {
      const encode = kind === 'text' ? encodeText : encodeName
      const bytes = typeof value === 'string' ? encode(value) : (value as Bytes | undefined)
      head.setUint32(at, bytes?.byteLength ?? NONE, true)
      if (bytes) pieces.push(bytes)
    }
    at += SIZES[kind]
  }
  return pieces
}

function encodeText(text: string): Bytes {
  return encoder.encode(text)
}

function bitsOf(chosen: readonly string[], words: readonly string[]): number {
  return chosen.reduce((bits, word) => bits | (1 << words.indexOf(word)), 0)
}

/** Has the core asked a question, as often as it takes. */
export function asking(session: Session, question: LongQuestion | ShortQuestion): Ask {
  const pieces = encodeQuestion(question)
  return (glue) => {
    session.input(glue, ...pieces)
    return glue.ask(session.number)
  }
}

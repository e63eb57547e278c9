/** Encodes questions for the core, which declares them in `crate/wasm/src/protocol`. */
import { type LongQuestion, QUESTIONS, type ShortQuestion } from '../base/protocol.js'
import { encodeName } from '../base/specs.js'
import type { Ask } from './session.js'

type Bytes = Uint8Array<ArrayBuffer>

/** A field: its name, its encoding, and its words; for a number, the default. */
type Field = readonly [name: string, kind: keyof typeof SIZES, ...words: string[]]

/** The bytes that a field takes in the head, by its encoding. */
const SIZES = { flag: 1, choice: 1, set: 1, number: 8, bytes: 4, text: 4, names: 4 } as const

/** The index of the first word of a {@link Field}. */
const FIRST_WORD = 2

const encoder = new TextEncoder()

type Kind = (LongQuestion | ShortQuestion)['kind']

/** The number of each kind of question, its fields, and the size of its head. */
const LAYOUTS = {} as Record<Kind, { number: number; fields: readonly Field[]; size: number }>

/** Makes kinds of questions known: those that only the full module answers come with its code. */
export function addQuestions(
  questions: Readonly<Record<string, readonly [number: number, ...fields: Field[]]>>,
): void {
  for (const [kind, [number, ...fields]] of Object.entries(questions)) {
    const size = fields.reduce((sum, [, kind]) => sum + SIZES[kind], 1)
    LAYOUTS[kind as Kind] = { number, fields, size }
  }
}

addQuestions(QUESTIONS)

/** The length of a field that is not given. */
const NONE = 0xffff_ffff

/**
 * Encodes a question: its number and a head of fixed length, then, each in a piece of its own,
 * the content of the fields of variable length.
 */
export function encodeQuestion(question: LongQuestion | ShortQuestion): Uint8Array[] {
  const { number, fields, size } = LAYOUTS[question.kind]
  const values = question as unknown as Readonly<Record<string, unknown>>
  const head = new DataView(new ArrayBuffer(size))
  const pieces: Uint8Array[] = [new Uint8Array(head.buffer)]
  head.setUint8(0, number)
  let at = 1
  for (const field of fields) {
    const [name, kind] = field
    const value = values[name]
    if (kind === 'flag') head.setUint8(at, value ? 1 : 0)
    else if (kind === 'choice') head.setUint8(at, value === undefined ? 0 : wordOf(field, value))
    else if (kind === 'set') head.setUint8(at, bitsOf(field, (value ?? []) as readonly string[]))
    else if (kind === 'number') {
      head.setFloat64(at, (value as number | undefined) ?? Number(field[2]), true)
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

/** Returns the number of a word: how many of the field's words come before it. */
function wordOf(field: Field, word: unknown): number {
  return field.indexOf(word as string, FIRST_WORD) - FIRST_WORD
}

function bitsOf(field: Field, chosen: readonly string[]): number {
  return chosen.reduce((bits, word) => bits | (1 << wordOf(field, word)), 0)
}

/** Returns a function that asks the core a question, and can be called again for each retry. */
export function questionCall(question: LongQuestion | ShortQuestion): Ask {
  const pieces = encodeQuestion(question)
  return (glue, session) => {
    session.input(glue, ...pieces)
    return glue.ask(session.number)
  }
}

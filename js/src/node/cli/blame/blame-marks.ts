/** How lines are marked that ignored commits changed. */
import type { BlameArgs } from './blame-args.js'
import type { BlamedRange } from './blame-ranges.js'

/** A mark: before an id, and as a line for programs. */
interface Mark {
  readonly sign: string
  readonly word: string
}

/** Returns the marks of a range, in git's order. */
export type Marks = (range: BlamedRange) => readonly Mark[]

const UNBLAMABLE: Mark = { sign: '*', word: 'unblamable' }
const IGNORED: Mark = { sign: '?', word: 'ignored' }

/** Only the configuration asks for marks. */
export function marksOf({
  marksIgnored,
  marksUnblamable,
}: Pick<BlameArgs, 'marksIgnored' | 'marksUnblamable'>): Marks {
  return ({ isGuessed, isIgnored }) => [
    ...(marksUnblamable && isIgnored ? [UNBLAMABLE] : []),
    ...(marksIgnored && isGuessed ? [IGNORED] : []),
  ]
}

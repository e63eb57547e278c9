/** The options that compare words: `--word-diff` and what belongs to it. */
import type { PatchesQuestion } from '../../../base/protocol.js'
import type { Option } from '../args/options.js'
import { Exit } from '../base/exit.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'
import type { DiffArgs } from './diff-args.js'

/** How words are compared, as the core takes it. */
export type WordsAsked = Pick<PatchesQuestion, 'wordDiff' | 'wordPattern'>

const FORMATS = {
  plain: 'plain',
  color: 'unmarked',
  porcelain: 'porcelain',
  none: 'none',
} as const

export function wordOptions(args: Pick<DiffArgs, 'words' | 'colorWhen'>): Option[] {
  const set = (change: WordsAsked) => {
    args.words = { ...args.words, ...change }
    if (change.wordDiff === 'unmarked') args.colorWhen = 'always'
  }
  const isNone = () => (args.words.wordDiff ?? 'none') === 'none'
  const pattern = (value: string) => set({ wordPattern: toBytes(bytesOfArgument(value)) })
  return [
    {
      ...{ long: 'word-diff', value: 'optional' },
      set(value) {
        if (value === undefined && isNone()) set({ wordDiff: 'plain' })
        if (value === undefined) return
        if (!Object.hasOwn(FORMATS, value)) {
          throw new Exit(129, `error: bad --word-diff argument: ${value}\n`)
        }
        set({ wordDiff: FORMATS[value as keyof typeof FORMATS] })
      },
    },
    {
      ...{ long: 'word-diff-regex', value: 'required' },
      set(value = '') {
        if (isNone()) set({ wordDiff: 'plain' })
        pattern(value)
      },
    },
    {
      ...{ long: 'color-words', value: 'optional' },
      set(value) {
        set({ wordDiff: 'unmarked' })
        if (value !== undefined) pattern(value)
      },
    },
  ]
}

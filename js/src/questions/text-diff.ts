/** Compares two texts line by line. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import type { TextPatchQuestion } from '../base/protocol.js'
import { encodeNames } from '../base/specs.js'
import type { TextPatch } from '../base/types.js'
import { decodeTextPatch } from '../objects/patch.js'
import { DIFF_TEXT, textOrBytes } from '../options/full-tables.js'
import { checkArgument, checkOptions } from '../options/rules.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** How texts are compared: options of `git diff`. */
export interface DiffTextOptions extends ReadOptions {
  /** Which algorithm compares lines. Default: `myers`. */
  readonly algorithm?: 'myers' | 'minimal' | 'patience' | 'histogram' | undefined
  /**
   * Which white space does not count: a carriage return before the line feed (`cr-at-eol`), all
   * of it at the end of lines (`at-eol`), its amount (`amount`: `-b`), or any (`all`: `-w`).
   * Default: all white space counts.
   */
  readonly ignoreSpace?: 'cr-at-eol' | 'at-eol' | 'amount' | 'all' | undefined
  /** Leaves out changes that only add or remove blank lines. Default: false. */
  readonly ignoreBlankLines?: boolean | undefined
  /**
   * Leaves out changes of nothing but lines in which this extended regular expression, or one of
   * several, is found (`-I`). Default: none.
   */
  readonly ignoreLines?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined
  /**
   * Compares the words of changed lines (`--word-diff`): hunks have `words` instead of `lines`,
   * and `bytes` is `--word-diff=porcelain`. Words are what this extended regular expression
   * matches (`--word-diff-regex`); with `true` those of the file's language, if `attributes`
   * name one, otherwise what white space separates. Default: false.
   */
  readonly wordDiff?: boolean | string | Uint8Array | undefined
  /** Hunks have the whole functions that they change (`-W`). Default: false. */
  readonly functionContext?: boolean | undefined
  /** Lets indentation decide where a change is shown. Default: true. */
  readonly indentHeuristic?: boolean | undefined
  /** How many unchanged lines are around a change. Default: 3. */
  readonly context?: number | undefined
  /** How many more lines may be between two changes of a hunk. Default: 0. */
  readonly interHunkContext?: number | undefined
}

const PAGE = 64 << 10

export function diffText(
  context: RepositoryContext,
  old: string | Uint8Array,
  changed: string | Uint8Array,
  options: DiffTextOptions = {},
): MaybePromise<TextPatch> {
  checkOptions('diffText', options, DIFF_TEXT)
  checkArgument('diffText', 'the old text', old, textOrBytes)
  checkArgument('diffText', 'the new text', changed, textOrBytes)
  const texts = { old: bytesOf(old), new: bytesOf(changed) }
  const asked = { ...texts, ...textAsked(options), ...hunksAsked(options) }
  const question = { kind: 'textPatch', ...asked } as const
  const begin = () => context.engine.pages(question)
  const rowsIn = (page: Uint8Array<ArrayBuffer>) =>
    page.byteLength === 0 ? [] : [decodeTextPatch(page, hasWords(options))]
  return ofAllRows(context, { begin, rowsIn, capacity: PAGE, options }, ([patch]) => {
    if (patch) return patch
    throw new PacklensError('INTERNAL', 'the comparison has no answer')
  })
}

/** Returns the bytes of a text; the core would cut a string, as if it were a name. */
export function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value
}

type HunksAsked = Pick<
  TextPatchQuestion,
  'functionContext' | 'ignoredLines' | 'wordDiff' | 'wordPattern'
>

/** Returns what decides which lines or words hunks have, as the core takes it. */
export function hunksAsked(options: DiffTextOptions): HunksAsked {
  const { ignoreLines, functionContext, wordDiff } = options
  const ignored = ignoreLines === undefined ? [] : [ignoreLines].flat()
  return {
    functionContext,
    ignoredLines: ignored.length > 0 ? encodeNames(ignored) : undefined,
    wordDiff: hasWords(options) ? 'porcelain' : undefined,
    wordPattern: typeof wordDiff === 'boolean' ? undefined : wordDiff,
  }
}

/** Returns whether words are compared. */
export function hasWords({ wordDiff = false }: DiffTextOptions): boolean {
  return wordDiff !== false
}

/** Returns the options as the core takes them. */
export function textAsked(
  options: DiffTextOptions,
): Omit<TextPatchQuestion, 'kind' | 'old' | 'new' | keyof HunksAsked> {
  const { algorithm, ignoreSpace: whitespace, ignoreBlankLines, context } = options
  const withoutIndentHeuristic = options.indentHeuristic === false
  const interHunk = options.interHunkContext
  return { algorithm, whitespace, ignoreBlankLines, withoutIndentHeuristic, context, interHunk }
}

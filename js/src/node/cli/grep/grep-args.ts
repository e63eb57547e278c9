/** Parses the arguments of `grep`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { GrepQuestion } from '../../../base/protocol.js'
import { type Option, parseOptions } from '../args/options.js'
import { configuredSyntax } from '../args/pattern-config.js'
import { readRequests } from '../args/requests.js'
import { Exit, fatal, Help } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { type ColorWhen, colorOption, paletteOf } from '../color/color-args.js'
import type { Settings } from '../config/settings.js'
import { bytesOfArgument, fromBytes } from '../text/bytes.js'
import { integerOf } from '../text/numbers.js'
import { configuredGrepWhen, type GrepPalette, grepPalette } from './grep-colors.js'

export interface GrepArgs {
  /** The expression, as the core takes it. */
  readonly tokens: string[]
  question: Omit<GrepQuestion, 'kind' | 'spec' | 'expression' | 'pathspec'>
  /** Until {@link configureGrep} `null` if no option says it. */
  numbers: boolean | null
  columns: boolean | null
  names: boolean
  /** Whether paths begin at the top, not at the current folder; as {@link GrepArgs.numbers}. */
  wholeNames: boolean | null
  nul: boolean
  onlyMatching: boolean
  /** Prints the matching parts of matching lines. */
  onlyParts: boolean
  breaks: boolean
  heading: boolean
  quiet: boolean
  /** When output has colors; as {@link GrepArgs.numbers}. */
  colorWhen: ColorWhen | null
  /** The colors of the output, once the configuration is known; `null` for none. */
  palette: GrepPalette | null
}

const MOST = 2 ** 31 - 1

type Flags = { -readonly [K in keyof GrepArgs['question']]: GrepArgs['question'][K] }

/** @throws Exit also if a file of patterns cannot be read */
export function parseGrepArgs(
  args: readonly string[],
  io: Io,
): { parsed: GrepArgs; rest: string[] } {
  if (args.length === 1 && args[0] === '-h') throw new Help()
  const question: Flags = {}
  const parsed: GrepArgs = {
    tokens: [],
    question,
    numbers: null,
    columns: null,
    names: true,
    wholeNames: null,
    nul: false,
    onlyMatching: false,
    onlyParts: false,
    breaks: false,
    heading: false,
    quiet: false,
    colorWhen: null,
    palette: null,
  }
  const answers: Answers = { files: false, 'files-without': false, counts: false }
  const takesParenthesis = (arg: string) => {
    const isOne = arg === '(' || arg === ')'
    if (isOne) parsed.tokens.push(arg)
    return isOne
  }
  const rest = parseOptions(optionsOf(parsed, question, answers, io), args, takesParenthesis)
  // Lines that do not match have no parts: they are printed whole.
  parsed.onlyParts = parsed.onlyMatching && !question.invert
  // The strongest first.
  const order = ['files-without', 'files', 'counts'] as const
  question.answer = order.find((answer) => answers[answer])
  return { parsed, rest }
}

/** Adds what the configuration says where no option does. */
export function configureGrep(parsed: GrepArgs, settings: Settings, io: Io): void {
  parsed.numbers ??= settings.flag('grep.linenumber') ?? false
  parsed.columns ??= settings.flag('grep.column') ?? false
  parsed.wholeNames ??= settings.flag('grep.fullname') ?? false
  const { question } = parsed
  const syntax = question.syntax ?? configuredSyntax(settings)
  const colorWhen = parsed.colorWhen ?? configuredGrepWhen(settings)
  parsed.palette = paletteOf({ colorWhen }, io, grepPalette(settings))
  // They are those of all matches of a line.
  const columns = parsed.columns || parsed.onlyParts || parsed.palette !== null
  parsed.question = { ...question, syntax, columns }
}

type Answers = Record<Exclude<NonNullable<Flags['answer']>, 'lines'>, boolean>

function optionsOf(parsed: GrepArgs, question: Flags, answers: Answers, io: Io): Option[] {
  const flag = (long: string, short: string | undefined, set: (on: boolean) => void): Option => ({
    long,
    ...(short ? { short } : {}),
    negatable: true,
    set: (_, negated) => set(!negated),
  })
  const token = (long: string, letter: string): Option => ({
    long,
    set: () => parsed.tokens.push(letter),
  })
  const number = (
    long: string,
    short: string | undefined,
    set: (n: number) => void,
    what = 'an integer value with an optional k/m/g suffix',
  ): Option => ({
    long,
    ...(short ? { short } : {}),
    value: 'required',
    set: (value = '') =>
      set(numberOf(short ? `switch \`${short}'` : `option \`${long}'`, value, what)),
  })
  const context = (n: number) => {
    // git takes a negative number as a huge one.
    question.before = n < 0 ? MOST : n
    question.after = n < 0 ? MOST : n
  }
  const part = (long: string, short: string, set: (n: number) => void) => {
    const what = 'a non-negative integer value with an optional k/m/g suffix'
    const setPart = (n: number) => {
      if (n < 0) throw new Exit(129, `error: switch \`${short}' expects ${what}\n`)
      set(n)
    }
    return number(long, short, setPart, what)
  }
  const answer = (value: keyof Answers) => (on: boolean) => {
    answers[value] = on
  }
  const refused = (long: string, short?: string): Option => ({
    long,
    ...(short ? { short } : {}),
    set: () => {
      throw fatal(`packlens grep does not support --${long}`)
    },
  })
  const syntax = (long: string, short: string, value: NonNullable<Flags['syntax']>): Option =>
    flag(long, short, (on) => {
      question.syntax = on ? value : 'basic'
    })
  return [
    { short: 'e', value: 'required', set: (value = '') => push(parsed, value) },
    {
      short: 'f',
      value: 'required',
      set: (file = '') => parsed.tokens.push(...patternsIn(io, file)),
    },
    token('and', 'a'),
    token('or', 'o'),
    token('not', 'n'),
    flag('invert-match', 'v', (on) => (question.invert = on)),
    flag('ignore-case', 'i', (on) => (question.ignoreCase = on)),
    flag('word-regexp', 'w', (on) => (question.word = on)),
    flag('text', 'a', (on) => (question.binary = on ? 'text' : 'mention')),
    { short: 'I', set: () => (question.binary = 'skip') },
    flag('recursive', 'r', (on) => (question.maxDepth = on ? undefined : 0)),
    number('max-depth', undefined, (n) => (question.maxDepth = n < 0 ? undefined : n)),
    syntax('extended-regexp', 'E', 'extended'),
    syntax('basic-regexp', 'G', 'basic'),
    syntax('fixed-strings', 'F', 'fixed'),
    refused('perl-regexp', 'P'),
    flag('line-number', 'n', (on) => (parsed.numbers = on)),
    flag('column', undefined, (on) => (parsed.columns = on)),
    { short: 'h', set: () => (parsed.names = false) },
    { short: 'H', set: () => (parsed.names = true) },
    flag('full-name', undefined, (on) => (parsed.wholeNames = on)),
    flag('files-with-matches', 'l', answer('files')),
    flag('name-only', undefined, answer('files')),
    flag('files-without-match', 'L', answer('files-without')),
    flag('null', 'z', (on) => (parsed.nul = on)),
    flag('only-matching', 'o', (on) => (parsed.onlyMatching = on)),
    flag('count', 'c', answer('counts')),
    flag('break', undefined, (on) => (parsed.breaks = on)),
    flag('heading', undefined, (on) => (parsed.heading = on)),
    number('context', 'C', context, 'a numerical value'),
    { short: '#', set: (value = '') => context(numberOf('a switch', value, 'a number')) },
    part('before-context', 'B', (n) => (question.before = n)),
    part('after-context', 'A', (n) => (question.after = n)),
    flag('show-function', 'p', (on) => (question.function = on)),
    flag('function-context', 'W', (on) => (question.functionContext = on)),
    number('max-count', 'm', (n) => (question.maxCount = n < 0 ? undefined : n)),
    flag('all-match', undefined, (on) => (question.allMatch = on)),
    flag('quiet', 'q', (on) => (parsed.quiet = on)),
    { long: 'threads', value: 'required', set: () => {} },
    refused('cached'),
    refused('untracked'),
    refused('no-index'),
    refused('recurse-submodules'),
    refused('textconv'),
    refused('open-files-in-pager', 'O'),
    colorOption(parsed),
  ]
}

function push(parsed: GrepArgs, pattern: string): void {
  parsed.tokens.push(`p${bytesOfArgument(pattern)}`)
}

/** Returns the patterns in a file, one a line, as tokens. */
function patternsIn(io: Io, file: string): string[] {
  const lines = file === '-' ? [...readRequests(io, false)].map(fromBytes) : linesOf(io, file)
  return lines.filter((line) => line !== '').map((line) => `p${line}`)
}

function linesOf(io: Io, file: string): string[] {
  let text: string
  try {
    text = readFileSync(path.resolve(io.cwd, file), 'latin1')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw fatal(`cannot open '${file}'${isMissing ? ': No such file or directory' : ''}`)
  }
  return text.split('\n').map((line) => line.replace(/\r$/, ''))
}

function numberOf(called: string, value: string, what: string): number {
  const number = integerOf(value)
  if (number !== null) return number
  throw new Exit(129, `error: ${called} expects ${what}\n`)
}

/** `cat-file --batch`, `--batch-check` and `--batch-command`. */

import { configBoolean } from '../../../base/config-values.js'
import { isPacklensError } from '../../../base/errors.js'
import type { Filter } from '../../../objects/filter.js'
import { cutAtNul, readRequests, splitRest } from '../args/requests.js'
import { Exit, failed, fatal } from '../base/exit.js'
import type { Sink } from '../base/sink.js'
import { FrameSink, PlainSink } from '../base/sink.js'
import type { Command } from '../opening/command.js'
import { fromBytes, textOfBytes } from '../text/bytes.js'
import { Answers } from './answers.js'

export interface BatchOptions {
  readonly kind: 'batch' | 'batch-check' | 'batch-command'
  /** The format, one character per byte. */
  readonly format: string | undefined
  readonly nulInput: boolean
  readonly nulOutput: boolean
  readonly all: boolean
  readonly unordered: boolean
  readonly buffered: boolean
  /** The most bytes of a frame; `undefined` for output without frames. */
  readonly chunkSize: number | undefined
  /** The objects to output. Default: all. */
  readonly filter: Filter | undefined
  /** Whether persons are replaced as the mailmap says. */
  readonly mailmap: boolean
}

const NOTHING = Buffer.alloc(0)

export function batch(command: Command, options: BatchOptions): number {
  const { chunkSize, buffered } = options
  const { io } = command
  const sink: Sink = chunkSize ? new FrameSink(io, { chunkSize, buffered }) : new PlainSink(io)
  try {
    return answerAll(command, options, sink)
  } catch (error) {
    const exit = isPacklensError(error) ? failed(error) : error
    if (exit instanceof Exit) sink.interrupt(exit.message)
    throw exit
  }
}

function answerAll(command: Command, options: BatchOptions, sink: Sink): number {
  const { format, nulOutput, kind, chunkSize, filter } = options
  // A part of frames is one answer, so the sink has to get answers one by one.
  const gathered = options.buffered && !chunkSize
  const how = { format, nulTerminated: nulOutput, gathered, filter }
  const answers = new Answers(command.open(), sink, how)
  if (options.mailmap && options.all) {
    throw fatal('packlens cat-file does not support --mailmap with --batch-all-objects')
  }
  answers.usesMailmap = options.mailmap
  const contents = kind === 'batch'
  if (options.all) answers.answerAll(contents, options.unordered)
  else if (kind === 'batch-command') runCommands(command, options, answers)
  else {
    for (const request of readRequests(command.io, options.nulInput)) {
      const whole = cutAtNul(request)
      const [name, rest] = answers.usesRest ? splitRest(whole) : [whole, NOTHING]
      answers.answer(name, rest, contents)
    }
  }
  answers.flush()
  return 0
}

/** A command of `--batch-command` that was read, but not answered yet. */
interface Waiting {
  readonly verb: Exclude<Verb, 'flush'>
  readonly name: Buffer
}

/** Runs commands. With `--buffer` they wait for `flush`: an error before it discards them. */
function runCommands(command: Command, options: BatchOptions, answers: Answers): void {
  let waiting: Waiting[] = []
  const dispatch = () => {
    for (const one of waiting) run(one, answers)
    waiting = []
    answers.flush()
  }
  for (const request of readRequests(command.io, options.nulInput)) {
    const { verb, name } = parseCommand(request)
    if (verb === 'flush') {
      if (!options.buffered) throw fatal('flush is only for --buffer mode')
      dispatch()
      continue
    }
    if (options.buffered) waiting.push({ verb, name: Buffer.from(name) })
    else run({ verb, name }, answers)
  }
  dispatch()
}

function run({ verb, name }: Waiting, answers: Answers): void {
  if (verb !== 'mailmap') {
    answers.answer(name, NOTHING, verb === 'contents')
    return
  }
  const text = fromBytes(name)
  const flag = configBoolean(text)
  if (flag === null) throw fatal(`mailmap: invalid boolean '${textOfBytes(text)}'`)
  answers.usesMailmap = flag
}

type Verb = 'contents' | 'info' | 'mailmap' | 'flush'

const VERBS: readonly Verb[] = ['contents', 'info', 'mailmap', 'flush']
const SPACES = /^[\t-\r ]/

function parseCommand(request: Buffer): { verb: Verb; name: Buffer } {
  if (request.length === 0) throw fatal('empty command in input')
  const whole = cutAtNul(request)
  const text = fromBytes(whole)
  if (SPACES.test(text)) throw fatal(`whitespace before command: '${textOfBytes(text)}'`)
  const verb = VERBS.find((verb) => text.startsWith(verb))
  if (!verb) throw fatal(`unknown command: '${textOfBytes(text)}'`)
  const rest = text.slice(verb.length)
  if (verb === 'flush') {
    if (rest !== '') throw fatal('flush takes no arguments')
  } else if (!rest.startsWith(' ')) throw fatal(`${verb} requires arguments`)
  return { verb, name: whole.subarray(verb.length + 1) }
}

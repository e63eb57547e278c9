/** `cat-file`: parses its options, and refuses those that cannot be combined. */

import { defaultFrameSize } from '../../../objects/framing.js'
import { flagOption } from '../args/flag-option.js'
import type { Option } from '../args/options.js'
import { parseOptions } from '../args/options.js'
import { Exit, Misused, misused } from '../base/exit.js'
import type { BatchOptions } from '../objects/batch.js'
import { batch } from '../objects/batch.js'
import { catObject } from '../objects/cat-object.js'
import type { FilterSpec } from '../objects/filter-spec.js'
import { filterOfSpecs, parseFilterSpec } from '../objects/filter-spec.js'
import type { Command } from '../opening/command.js'
import { bytesOfArgument } from '../text/bytes.js'
import { sizeOf } from '../text/sizes.js'

type Switch = 'e' | 'p' | 's' | 't'

type Flag = 'nulInput' | 'nulOutput' | 'buffer' | 'unordered' | 'frames' | 'mailmap'

interface Parsed {
  request: Switch | undefined
  kind: BatchOptions['kind'] | undefined
  format: string | undefined
  all: boolean
  unordered: boolean
  buffer: boolean | undefined
  nulInput: boolean
  nulOutput: boolean
  frames: boolean
  mailmap: boolean
  chunkSize: number | undefined
  filters: FilterSpec[]
}

const MOST_CHUNK = 64 << 20

export function catFile(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    request: undefined,
    kind: undefined,
    format: undefined,
    all: false,
    unordered: false,
    buffer: undefined,
    nulInput: false,
    nulOutput: false,
    frames: false,
    mailmap: false,
    chunkSize: undefined,
    filters: [],
  }
  const rest = parseOptions(optionsInto(parsed), args)
  const filter = filterOfSpecs(parsed.filters, parsed.kind !== undefined)
  const { request, kind, format, unordered, all, nulOutput, frames, mailmap } = parsed
  if (parsed.chunkSize && !frames) throw misused("'--chunk-size' requires '--frames'")
  if (kind !== undefined) {
    if (request) throw misused(`'-${request}' is incompatible with batch mode`)
    if (rest.length > 0) throw misused('batch modes take no arguments')
    const buffered = parsed.buffer ?? all
    const nulInput = parsed.nulInput || nulOutput
    const chunkSize = frames ? (parsed.chunkSize ?? defaultFrameSize) : undefined
    const how = {
      format,
      all,
      unordered,
      nulInput,
      nulOutput,
      buffered,
      chunkSize,
      filter,
      mailmap,
    }
    return batch(command, { kind, ...how })
  }
  const needsBatch = optionThatNeedsBatch(parsed)
  if (needsBatch) throw misused(`'${needsBatch}' requires a batch mode`)
  const [first, second] = rest
  if (request) {
    if (first === undefined) throw misused(`<object> required with '-${request}'`)
    if (second !== undefined) throw misused('too many arguments')
    return catObject(command, request, first, mailmap)
  }
  if (first === undefined) throw new Misused()
  if (second === undefined || rest.length > 2) {
    const what = `only two arguments allowed in <type> <object> mode, not ${rest.length}`
    throw misused(what)
  }
  return catObject(command, { type: first }, second, mailmap)
}

function optionThatNeedsBatch(parsed: Parsed): string | undefined {
  const { buffer, all, nulInput, nulOutput, frames } = parsed
  if (buffer !== undefined) return '--buffer'
  if (all) return '--batch-all-objects'
  if (frames) return '--frames'
  if (nulInput) return '-z'
  return nulOutput ? '-Z' : undefined
}

function optionsInto(parsed: Parsed): Option[] {
  const mode = (short: Switch): Option => ({
    short,
    mode: true,
    set: () => {
      parsed.request = short
    },
  })
  const batchMode = (long: BatchOptions['kind']): Option => ({
    long,
    value: 'optional',
    set: (value) => {
      if (parsed.kind) throw new Exit(129, 'error: only one batch option may be specified\n')
      parsed.kind = long
      parsed.format = value === undefined ? undefined : bytesOfArgument(value)
    },
  })
  const flag = (name: Flag, names: Pick<Option, 'short' | 'long'>) =>
    flagOption(parsed, name, names)
  const all: Option = {
    long: 'batch-all-objects',
    mode: true,
    set: () => {
      parsed.all = true
    },
  }
  return [
    mode('e'),
    mode('p'),
    mode('t'),
    mode('s'),
    batchMode('batch'),
    batchMode('batch-check'),
    flag('nulInput', { short: 'z' }),
    flag('nulOutput', { short: 'Z' }),
    batchMode('batch-command'),
    all,
    flag('buffer', { long: 'buffer' }),
    flag('unordered', { long: 'unordered' }),
    flag('frames', { long: 'frames' }),
    flag('mailmap', { long: 'mailmap' }),
    flag('mailmap', { long: 'use-mailmap' }),
    {
      long: 'filter',
      value: 'required',
      negatable: true,
      set: (value = '', negated) => {
        if (negated) parsed.filters = []
        else parsed.filters.push(parseFilterSpec(value))
      },
    },
    {
      long: 'chunk-size',
      value: 'required',
      set: (value = '') => {
        const size = sizeOf(value)
        if (!(size >= 1 && size <= MOST_CHUNK)) {
          const what = `option \`chunk-size' takes a size from 1 to 64m, not '${value}'`
          throw new Exit(129, `error: ${what}\n`)
        }
        parsed.chunkSize = size
      },
    },
  ]
}

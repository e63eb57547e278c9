/** `--ws-error-highlight`: in which lines errors of white space have a color. */

import type { Option } from '../args/options.js'
import { Exit } from '../base/exit.js'
import type { DiffArgs } from './diff-args.js'

/** Kinds of lines of a patch. */
export type LineKind = 'old' | 'new' | 'context'

const KINDS = ['old', 'new', 'context'] as const

/** git looks for errors in what is added. */
export const ADDED: ReadonlySet<LineKind> = new Set(['new'])

export function spaceErrorOption(args: Pick<DiffArgs, 'spaceErrors'>): Option {
  return {
    ...{ long: 'ws-error-highlight', value: 'required' },
    set(value = '') {
      const kinds = lineKindsOf(value)
      if (!kinds) throw new Exit(129, 'error: unknown value after ws-error-highlight=\n')
      args.spaceErrors = kinds
    },
  }
}

/** Parses a list of kinds; `null` if it names an unknown one. */
export function lineKindsOf(list: string): ReadonlySet<LineKind> | null {
  let kinds = new Set<LineKind>()
  for (const word of list === '' ? [] : list.split(',')) {
    if (word === 'none') kinds = new Set()
    else if (word === 'default') kinds = new Set(ADDED)
    else if (word === 'all') kinds = new Set(KINDS)
    else {
      const kind = KINDS.find((name) => name === word)
      if (!kind) return null
      kinds.add(kind)
    }
  }
  return kinds
}

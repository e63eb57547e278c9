/** The options that choose changes by their contents: `-S`, `-G` and what belongs to them. */

import type { Option } from '../args/options.js'
import { Exit, fatal } from '../base/exit.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'
import type { DiffArgs } from './diff-args.js'

export function pickaxeOptions(args: Pick<DiffArgs, 'pickaxe'>): Option[] {
  let kind: 'S' | 'G' | null = null
  let isRegex = false
  const choose = (given: 'S' | 'G' | null, value: string) => {
    if (value === '') throw new Exit(129, `error: -${given} requires a non-empty argument\n`)
    if (kind && given && given !== kind) {
      throw fatal("options '-G', '-S', and '--find-object' cannot be used together")
    }
    kind = given ?? kind
    if (kind === 'G' && isRegex) {
      const advice = "use '--pickaxe-regex' with '-S'"
      throw fatal(`options '-G' and '--pickaxe-regex' cannot be used together, ${advice}`)
    }
    const words = { S: isRegex ? 'regex' : 'text', G: 'lines' } as const
    const pickaxe = kind ? words[kind] : undefined
    const pickaxeText = given ? toBytes(bytesOfArgument(value)) : args.pickaxe.pickaxeText
    args.pickaxe = { ...args.pickaxe, pickaxe, pickaxeText }
  }
  return [
    { short: 'S', value: 'required', set: (value = '') => choose('S', value) },
    { short: 'G', value: 'required', set: (value = '') => choose('G', value) },
    {
      long: 'pickaxe-regex',
      set() {
        isRegex = true
        choose(null, '-')
      },
    },
    {
      long: 'pickaxe-all',
      set() {
        args.pickaxe = { ...args.pickaxe, pickaxeAll: true }
      },
    },
  ]
}

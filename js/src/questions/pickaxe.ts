/** Chooses changes by what their contents have. */
import type { DiffQuestion } from '../base/protocol.js'
import { bytesOf } from './text-diff.js'

/** What the contents of listed changes have: git's pickaxe, by `string` or by `pattern`. */
export interface Pickaxe {
  /** Lists files in which this occurs another number of times than before (`-S`). */
  readonly string?: string | Uint8Array | undefined
  /** Takes `string` as an extended regular expression (`--pickaxe-regex`). Default: false. */
  readonly regex?: boolean | undefined
  /** Lists files with an added or a removed line that has this expression (`-G`). */
  readonly pattern?: string | Uint8Array | undefined
  /** Upper and lower case are the same. Default: false. */
  readonly ignoreCase?: boolean | undefined
  /** Lists all changes if one is found (`--pickaxe-all`). Default: false. */
  readonly all?: boolean | undefined
}

export interface PickaxeOption {
  /** Lists only files whose contents have something. They are read for this. Default: all. */
  readonly pickaxe?: Pickaxe | undefined
}

/** Returns the option as the core takes it. */
export function pickaxeAsked({
  pickaxe,
}: PickaxeOption): Pick<
  DiffQuestion,
  'pickaxe' | 'pickaxeText' | 'pickaxeIgnoresCase' | 'pickaxeAll'
> {
  if (!pickaxe) return {}
  const { string, regex, pattern, ignoreCase, all } = pickaxe
  return {
    pickaxe: pattern !== undefined ? 'lines' : regex ? 'regex' : 'text',
    pickaxeText: bytesOf(pattern ?? string ?? ''),
    pickaxeIgnoresCase: ignoreCase,
    pickaxeAll: all,
  }
}

/** `--relative`: only changes whose paths begin with a text are printed, and without it. */
import { pathBelow } from '../../../objects/relative-path.js'
import type { Option } from '../args/options.js'
import { bytesOfArgument, fromBytes } from '../text/bytes.js'

export interface RelativeArgs {
  /** Whether it was asked for, and what paths begin with then, a character a byte. */
  relative: { readonly isOn: boolean; readonly prefix: string }
}

export function relativeOption(args: RelativeArgs): Option {
  return {
    ...{ long: 'relative', value: 'optional', negatable: true },
    set(value, negated) {
      // Without a value, the last one still counts, as in git; at first it is the current folder.
      const prefix = value === undefined ? args.relative.prefix : bytesOfArgument(value)
      args.relative = { isOn: !negated, prefix }
    },
  }
}

/** Returns what the printed paths begin with; empty if all are printed. */
export const prefixOf = ({ relative }: RelativeArgs): string =>
  relative.isOn ? relative.prefix : ''

/** Returns a path as it is printed, a character a byte. */
export function shownPath(args: RelativeArgs, path: Uint8Array): string {
  return fromBytes(pathBelow(path, prefixOf(args).length))
}

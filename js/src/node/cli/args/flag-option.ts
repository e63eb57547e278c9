/** Options that set a flag of what a command parsed. */
import type { Option } from './options.js'

/** Returns an option that sets a flag; its long name resets it after `--no-`. */
export function flagOption<F extends string>(
  parsed: Record<F, boolean | undefined>,
  name: F,
  names: Pick<Option, 'short' | 'long'>,
): Option {
  return {
    ...names,
    negatable: names.long !== undefined,
    set: (_, negated) => {
      parsed[name] = !negated
    },
  }
}

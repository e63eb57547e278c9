/**
 * Keeps control characters from a terminal: the content of a repository or a file could
 * otherwise move the cursor, hide text or set the user's clipboard.
 */
import { fromBytes, toBytes } from '../text/bytes.js'
import type { Io } from './io.js'

/** All but tab and line feed, as in git, and U+0080 to U+009F, which terminals obey too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** The same in UTF-8, one character per byte. NUL stays: it ends records and is invisible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROL_BYTES = /[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/g

/** Returns an error message with `?` for control characters, as git writes them. */
export function safeMessage(text: string): string {
  return text.replace(CONTROLS, '?')
}

/** Returns whether output has colors if nothing else says so: git's `auto`. */
export function wantsColors(io: Io): boolean {
  const { TERM = 'dumb' } = io.env
  return TERM !== 'dumb' && isForTerminal(io)
}

/** Returns whether output goes to a terminal, maybe by a pager. */
export function isForTerminal({ env, toTerminal }: Io): boolean {
  return toTerminal === true || env.GIT_PAGER_IN_USE === 'true'
}

/** Returns output of one character per byte, with `?` for control characters on a terminal. */
export function safeOutput({ toTerminal }: Io, output: string): string {
  return toTerminal ? output.replace(CONTROL_BYTES, '?') : output
}

/** As {@link safeOutput}, for bytes. */
export function safeBytes(io: Io, output: Uint8Array): Uint8Array {
  return io.toTerminal ? toBytes(safeOutput(io, fromBytes(output))) : output
}

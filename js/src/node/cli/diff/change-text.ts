/** Modes and kinds of changes as git prints them. */
import type { FileChange } from '../../../base/types.js'
import type { Opened } from '../opening/command.js'

/** Returns the digits of a mode; zeros where there is no file. */
export function modeText(mode: number | null): string {
  return (mode ?? 0).toString(8).padStart(6, '0')
}

/** Returns the letter of a kind of change. */
export function letterOf(status: FileChange['status']): string {
  return status === 'type-changed' ? 'T' : status.charAt(0).toUpperCase()
}

/** Shortens an id in a list of changes; git's oldest scripts expect three dots after it. */
export function shortenedId({ io, reader }: Opened, oid: string, digits: number): string {
  const short = reader.abbreviate(oid, digits)
  const hasDots = io.env.GIT_PRINT_SHA1_ELLIPSIS?.toLowerCase() === 'yes'
  return hasDots && short.length < oid.length ? `${short}...` : short
}

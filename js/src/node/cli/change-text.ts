/** Modes and kinds of changes as git prints them. */
import type { FileChange } from '../../base/types.js'

/** Returns the digits of a mode; zeros where there is no file. */
export function modeText(mode: number | null): string {
  return (mode ?? 0).toString(8).padStart(6, '0')
}

/** Returns the letter of a kind of change. */
export function letterOf(status: FileChange['status']): string {
  return status === 'type-changed' ? 'T' : status.charAt(0).toUpperCase()
}

/** The commands of an interactive rebase, with shortened ids, as git shows them. */
import type { Reader } from '../repository/reader.js'

/** A command that takes a commit, and what precedes its id. */
const BEFORE_ID =
  /^(?:pick|p|reword|r|edit|e|squash|s|drop|d|reset|t|(?:fixup|f|merge|m)(?:[ \t]+-[Cc])?)[ \t]+/

const ID = /^[0-9a-f]{4,}(?=[ \t]|$)/

/** Returns the commands of a file, without comments. */
export function commandsIn(text: string, comment: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith(comment))
}

/** Returns a command with its id shortened to `digits`, or in full for `null`. */
export function shownCommand(reader: Reader, command: string, digits: number | null): string {
  const [before = ''] = BEFORE_ID.exec(command) ?? []
  const rest = command.slice(before.length)
  const [id] = ID.exec(rest) ?? []
  if (digits === null || before === '' || id === undefined) return command
  const oid = id.length === reader.hexLength ? id : reader.find(id)
  const short = oid === null ? id : reader.abbreviate(oid, digits)
  return short.length < id.length ? `${before}${short}${rest.slice(id.length)}` : command
}

/** Tells the paths among the arguments of a command from its revisions. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import type { Diagnosis } from '../repository/names.js'
import { unknownArgument } from './revisions.js'

/**
 * Checks arguments of which the first is no revision.
 *
 * @throws unless all may be paths: files that exist, patterns, or magic
 */
export function checkPaths(
  { io }: Opened,
  args: readonly string[],
  { errors, path: why }: Diagnosis,
  hasDashes: boolean,
): void {
  const [first = ''] = args
  if (errors !== '') io.writeError(errors)
  if (hasDashes || first.startsWith('^')) throw fatal(`bad revision '${first}'`)
  for (const arg of args) {
    if (arg.startsWith('-')) throw fatal(`option '${arg}' must come before non-option arguments`)
    if (!mayBePath(io.cwd, arg)) throw unknownArgument(arg, arg === first ? why : undefined)
  }
}

function mayBePath(cwd: string, arg: string): boolean {
  if (/(^|[^\\])(\\\\)*[*?[]/.test(arg) || arg.startsWith(':(')) return true
  const [, exclude, name = arg] = /^:([!^])(.*)$/s.exec(arg) ?? []
  if (exclude && name === '') return true
  return fs.existsSync(path.resolve(cwd, name))
}

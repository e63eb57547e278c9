/** The commits that `blame` ignores: `--ignore-rev`, `--ignore-revs-file` and the configuration. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fatal } from '../base/exit.js'
import { configuredPath } from '../config/configured-path.js'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument } from '../text/bytes.js'
import type { BlameArgs } from './blame-args.js'

/** @throws Exit if a revision names no commit, or a file is not a list of ids */
export function ignoredCommits(opened: Opened, args: BlameArgs): string[] {
  const { reader, io } = opened
  const configured = args.configuredFiles.map((file) => [configuredPath(opened, file), file])
  const given = args.ignoredFiles.map((file) => [path.resolve(io.cwd, file), file])
  const files = [...configured, ...given] as [file: string, shown: string][]
  const listed = files.flatMap(([file, shown]) => idsIn(file, shown))
  const ids = listed.map((id) => {
    if (id.length !== reader.hexLength || !/^[0-9a-f]+$/i.test(id)) {
      throw fatal(`invalid object name: ${id}`)
    }
    // Ids of other objects, or of none, are passed over.
    return reader.find(`${id}^{commit}`)
  })
  const named = args.ignored.map((revision) => {
    const commit = reader.find(`${bytesOfArgument(revision)}^{commit}`)
    if (commit === null) throw fatal(`cannot find revision ${revision} to ignore`)
    return commit
  })
  return [...new Set([...ids, ...named])].filter((id) => id !== null)
}

/** Returns the ids in a file, one a line; `#` begins a comment. */
function idsIn(file: string, shown: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'latin1')
  } catch {
    throw fatal(`could not open object name list: ${shown}`)
  }
  const lines = text.split('\n').map((line) => line.replace(/#.*$/s, '').trim())
  return lines.filter((line) => line !== '')
}

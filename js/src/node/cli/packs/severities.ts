/** Parses lists of severities, which `index-pack --strict=<msg-id>=<severity>` takes. */
import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fatal } from '../base/exit.js'

/**
 * Returns the lines that the core reads. Commas, spaces and bars separate items. The item
 * `skiplist=<file>` is replaced by the ids in the file.
 */
export function linesOfSeverities(list: string, cwd: string): string {
  const items = list.split(/[ ,|]/).filter((item) => item !== '')
  return items.map((item) => lineOf(item, cwd)).join('')
}

function lineOf(item: string, cwd: string): string {
  const at = item.search(/[=:]/)
  const name = (at < 0 ? item : item.slice(0, at)).toLowerCase()
  const value = item.slice(at + 1)
  if (name !== 'skiplist') {
    if (at < 0) throw fatal(`Missing '=': '${name}'`)
    return `${name}=${value}\n`
  }
  if (at < 0) throw fatal('skiplist requires a path')
  try {
    return `${readFileSync(path.resolve(cwd, value), 'latin1')}\n`
  } catch {
    throw fatal(`could not open object name list: ${value}`)
  }
}

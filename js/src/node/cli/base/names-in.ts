/** Lists a folder, if there is one. */
import * as fs from 'node:fs'

export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}

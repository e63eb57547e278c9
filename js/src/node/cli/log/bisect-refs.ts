/** The refs of `git bisect`: https://git-scm.com/docs/git-bisect */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Opened } from '../opening/command.js'
import { eachSelected, NOTHING_LEFT_OUT, refSelection } from '../refs/ref-selection.js'
import type { NamedObject } from '../revisions/revision-refs.js'
import { bytesOfArgument } from '../text/bytes.js'

export interface BisectRefs {
  readonly bad: readonly NamedObject[]
  readonly good: readonly NamedObject[]
}

/** Returns the commits with the change that is looked for, and those without it. */
export function bisectRefs({ place, reader }: Opened): BisectRefs {
  const [bad, good] = termsIn(place.gitDir)
  const beginning = (term: string) => {
    const found: NamedObject[] = []
    const selection = refSelection(`--glob=${bytesOfArgument(`refs/bisect/${term}`)}*`)
    if (selection === null) return found
    eachSelected(reader, selection, NOTHING_LEFT_OUT, ({ name, oid }) => {
      if (oid !== null) found.push({ name, oid })
    })
    return found
  }
  return { bad: beginning(bad), good: beginning(good) }
}

/** Returns the words that were chosen in place of `bad` and `good`. */
function termsIn(gitDir: string): readonly [bad: string, good: string] {
  try {
    const [bad, good] = fs.readFileSync(path.join(gitDir, 'BISECT_TERMS'), 'utf8').split('\n')
    return [bad || 'bad', good || 'good']
  } catch {
    return ['bad', 'good']
  }
}

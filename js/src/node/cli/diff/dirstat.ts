/** Shares of directories in what changed: `--dirstat`. */
import { fatal } from '../base/exit.js'

/** The options of `--dirstat`. */
export interface DirStat {
  readonly unit: 'changes' | 'lines' | 'files'
  /** The least share that is printed, in tenths of a percent. */
  readonly least: number
  /** Whether a directory has a share in what its printed subdirectories have, too. */
  readonly isCumulative: boolean
}

/** What changed in a file, in any unit. */
export interface Damage {
  readonly path: string
  readonly amount: number
}

export const DIRSTAT: DirStat = { unit: 'changes', least: 30, isCumulative: false }

/** Returns options with the parameters of one more. */
export function dirStatOf(before: DirStat, parameters: string): DirStat {
  const { stat, errors } = parsedDirStat(before, parameters)
  if (errors === '') return stat
  throw fatal(`Failed to parse --dirstat/-X option parameter:\n${errors}`)
}

/** Returns options with the parameters that are known, and lines about the others. */
export function parsedDirStat(
  before: DirStat,
  parameters: string,
): { readonly stat: DirStat; readonly errors: string } {
  let stat = before
  let errors = ''
  const refuse = (what: string) => {
    errors += `  ${what}\n`
  }
  for (const one of parameters === '' ? [] : parameters.split(',')) {
    if (one === 'changes' || one === 'lines' || one === 'files') stat = { ...stat, unit: one }
    else if (one === 'cumulative' || one === 'noncumulative') {
      stat = { ...stat, isCumulative: one === 'cumulative' }
    } else if (/^\d/.test(one)) {
      const [, percent, tenths = '0'] = /^(\d+)(?:\.(\d)\d*)?$/.exec(one) ?? []
      if (!percent) refuse(`Failed to parse dirstat cut-off percentage '${one}'`)
      else stat = { ...stat, least: Number(percent) * 10 + Number(tenths) }
    } else refuse(`Unknown dirstat parameter '${one}'`)
  }
  return { stat, errors }
}

/** Returns the lines about directories: those below others first. */
export function dirStat(damages: readonly Damage[], stat: DirStat): string {
  const files = [...damages].sort((one, other) => (one.path < other.path ? -1 : 1))
  const total = files.reduce((sum, { amount }) => sum + amount, 0)
  if (total === 0) return ''
  let text = ''
  let at = 0
  /** Adds up a directory; returns what its own lines do not account for. */
  const gather = (directory: string): number => {
    let [sum, subdirectories, ownFiles] = [0, 0, 0]
    for (;;) {
      const file = files[at]
      if (!file?.path.startsWith(directory)) break
      const slash = file.path.indexOf('/', directory.length)
      if (slash < 0) {
        sum += file.amount
        ownFiles++
        at++
      } else {
        sum += gather(file.path.slice(0, slash + 1))
        subdirectories++
      }
    }
    // What is all from one subdirectory is its share.
    const isShown = directory !== '' && (ownFiles > 0 || subdirectories !== 1)
    const share = Math.floor((sum * 1000) / total)
    if (!isShown || sum === 0 || share < stat.least) return sum
    text += `${String(Math.floor(share / 10)).padStart(4)}.${share % 10}% ${directory}\n`
    return stat.isCumulative ? sum : 0
  }
  gather('')
  return text
}

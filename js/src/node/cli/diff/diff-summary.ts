/** What happened to files beside their lines: `--summary`. */
import type { FileChange } from '../../../base/types.js'
import { modeText } from './change-text.js'

/** The bits of modes: of executable files, and of symbolic links. */
const [EXECUTABLE, TYPE, LINK] = [0o111, 0o170000, 0o120000]

/** Returns what `--compact-summary` says after the name of a file. */
export function compactSummaryOf({ status, oldMode, newMode }: FileChange): string {
  const isLink = (mode: number | null) => ((mode ?? 0) & TYPE) === LINK
  const canRun = (mode: number | null) => ((mode ?? 0) & EXECUTABLE) !== 0
  const said = () => {
    if (status === 'added') return isLink(newMode) ? 'new +l' : canRun(newMode) ? 'new +x' : 'new'
    if (status === 'deleted') return 'gone'
    if (isLink(oldMode) !== isLink(newMode)) return isLink(newMode) ? 'mode +l' : 'mode -l'
    if (canRun(oldMode) !== canRun(newMode)) return canRun(newMode) ? 'mode +x' : 'mode -x'
    return ''
  }
  const what = said()
  return what && ` (${what})`
}

/** Returns the lines about a change; `shown` and `moved` are its path and both, as printed. */
export function summaryOf(change: FileChange, shown: string, moved: string): string {
  const { status, oldMode, newMode, similarity, dissimilarity } = change
  if (status === 'added') return ` create mode ${modeText(newMode)} ${shown}\n`
  if (status === 'deleted') return ` delete mode ${modeText(oldMode)} ${shown}\n`
  const isChanged = oldMode !== newMode
  const modes = isChanged ? ` mode change ${modeText(oldMode)} => ${modeText(newMode)}` : ''
  if (similarity !== null) {
    const verb = status === 'copied' ? 'copy' : 'rename'
    return ` ${verb} ${moved} (${similarity}%)\n${modes && `${modes}\n`}`
  }
  if (dissimilarity !== null) {
    return ` rewrite ${shown} (${dissimilarity}%)\n${modes && `${modes}\n`}`
  }
  return modes && `${modes} ${shown}\n`
}

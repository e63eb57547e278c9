/** What happened to files beside their lines: `--summary`. */
import type { FileChange } from '../../base/types.js'
import { modeText } from './change-text.js'

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

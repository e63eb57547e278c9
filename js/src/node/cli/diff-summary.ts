/** What happened to files beside their lines: `--summary`. */
import type { FileChange } from '../../base/types.js'

/** Returns the lines about a change; `shown` and `moved` are its path and both, as printed. */
export function summaryOf(change: FileChange, shown: string, moved: string): string {
  const { status, oldMode, newMode, similarity, dissimilarity } = change
  const mode = (of: number | null) => (of ?? 0).toString(8).padStart(6, '0')
  if (status === 'added') return ` create mode ${mode(newMode)} ${shown}\n`
  if (status === 'deleted') return ` delete mode ${mode(oldMode)} ${shown}\n`
  const isChanged = oldMode !== newMode
  const modes = isChanged ? ` mode change ${mode(oldMode)} => ${mode(newMode)}` : ''
  if (similarity !== null) {
    const verb = status === 'copied' ? 'copy' : 'rename'
    return ` ${verb} ${moved} (${similarity}%)\n${modes && `${modes}\n`}`
  }
  if (dissimilarity !== null) {
    return ` rewrite ${shown} (${dissimilarity}%)\n${modes && `${modes}\n`}`
  }
  return modes && `${modes} ${shown}\n`
}

/** Arranges the lines of a hunk in rows of two sides. */
import type { HunkLine } from 'packlens'

/** A row; `null` on the side that has no line. */
export interface SplitRow {
  readonly old: HunkLine | null
  readonly changed: HunkLine | null
}

/** Puts removed lines beside the added lines that follow them. */
export function splitRows(lines: readonly HunkLine[]): SplitRow[] {
  const rows: SplitRow[] = []
  let removed: HunkLine[] = []
  let added: HunkLine[] = []
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      rows.push({ old: removed[at] ?? null, changed: added[at] ?? null })
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'added') added.push(line)
    else {
      if (line.kind === 'context' || added.length > 0) flush()
      if (line.kind === 'removed') removed.push(line)
      else rows.push({ old: line, changed: line })
    }
  }
  flush()
  return rows
}

/** The changes between contents of files, without the lines around them. */
import { decodeTextPatch } from '../../../objects/patch.js'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { linesOf } from '../repository/file-lines.js'
import type { LineChange } from './line-spans.js'

export class BlobChanges {
  readonly #opened: Opened
  readonly #known = new Map<string, readonly LineChange[]>()

  constructor(opened: Opened) {
    this.#opened = opened
  }

  /** Returns the changes between two blobs, in order; the old one may be missing. */
  between(old: string | null, now: string): readonly LineChange[] {
    if (old === now) return []
    const key = `${old} ${now}`
    const known = this.#known.get(key) ?? this.#compare(old, now)
    this.#known.set(key, known)
    return known
  }

  #compare(old: string | null, now: string): LineChange[] {
    const texts = { old: this.#contentOf(old), new: this.#contentOf(now) }
    if (old === null) return allOf(texts.new)
    const changes: LineChange[] = []
    // git follows lines without the heuristic by which it prints changes.
    const how = { context: 0, withoutIndentHeuristic: true }
    this.#opened.reader.pages({ kind: 'textPatch', ...texts, ...how }, (page) => {
      const { hunks } = decodeTextPatch(new Uint8Array(page), false)
      for (const { oldStart, oldLines, newStart, newLines } of hunks) {
        changes.push({ old: spanOf(oldStart, oldLines), new: spanOf(newStart, newLines) })
      }
    })
    return changes
  }

  #contentOf(oid: string | null): Uint8Array {
    if (oid === null) return new Uint8Array(0)
    const content = this.#opened.reader.read(oid, ({ data }) => new Uint8Array(data))
    if (content === null) throw fatal(`unable to read ${oid}`)
    return content
  }
}

function allOf(text: Uint8Array): LineChange[] {
  const end = linesOf(text).length
  return end === 0 ? [] : [{ old: { start: 0, end: 0 }, new: { start: 0, end } }]
}

/** Returns the places of lines that a hunk counts from 1; without lines it names the one before. */
function spanOf(start: number, lines: number): { start: number; end: number } {
  const first = lines === 0 ? start : start - 1
  return { start: first, end: first + lines }
}

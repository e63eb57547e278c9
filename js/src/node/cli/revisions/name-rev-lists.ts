/** The commits that `name-rev` is not given by name: all, or those in a text. */

import { readRequests } from '../args/requests.js'
import type { Lines } from '../base/output.js'
import type { Opened } from '../opening/command.js'
import { eachRef } from '../refs/ref-list.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'

/** The most characters of a text whose ids are named together. */
const MOST_TEXT = 1 << 20

/**
 * Returns the commits that refs reach; `atTip` are those that git knows without names: those of
 * refs and their parents, and those that tags of refs point at.
 */
export function allCommits({ reader }: Opened): {
  readonly oids: readonly string[]
  readonly atTip: ReadonlySet<string>
} {
  const tips = new Set<string>()
  const direct = new Set<string>()
  const atTip = new Set<string>()
  eachRef(reader, { peel: true }, ({ oid, peeled }) => {
    const tip = peeled ?? oid
    if (oid === null || tip === null || reader.info(tip)?.type !== 'commit') return
    tips.add(tip)
    if (tip === oid) direct.add(oid)
    else if (targetOf(reader, oid) === tip) atTip.add(tip)
  })
  const oids: string[] = []
  const specs = reader.specs([...tips])
  if (tips.size === 0) return { oids, atTip }
  reader.pages({ kind: 'revList', specs, lines: ['parents'] }, (page) => {
    for (const line of fromBytes(page).split('\n').slice(0, -1)) {
      const [oid = '', ...parents] = line.split(' ')
      oids.push(oid)
      if (direct.has(oid)) for (const one of [oid, ...parents]) atTip.add(one)
    }
  })
  return { oids, atTip }
}

/** Returns the object that a tag points at. */
function targetOf(reader: Reader, tag: string): string | null {
  const content = reader.read(tag, ({ data }) => fromBytes(data)) ?? ''
  return /^object ([0-9a-f]+)\n/.exec(content)?.[1] ?? null
}

/** Names ids; an id without a name is not in the answer. */
export type NameIds = (oids: readonly string[]) => ReadonlyMap<string, string>

/** Copies standard input, with the names of the ids in it: after them, or in their place. */
export function annotate(opened: Opened, nameOnly: boolean, name: NameIds, lines: Lines): void {
  const ids = new RegExp(`(?<![0-9a-f])[0-9a-f]{${opened.reader.hexLength}}(?![0-9a-f])`, 'g')
  const names = new Map<string, string | null>()
  const flush = (texts: readonly string[]) => {
    const all = new Set(texts.flatMap((text) => text.match(ids) ?? []))
    const found = [...all].filter((id) => !names.has(id))
    const known = found.length > 0 ? name(found) : new Map<string, string>()
    for (const id of found) names.set(id, known.get(id) ?? null)
    const annotated = (id: string) => {
      const named = names.get(id) ?? null
      if (named === null) return id
      return nameOnly ? named : `${id} (${named})`
    }
    for (const text of texts) lines.addUnchanged(text.replace(ids, annotated))
    lines.flush()
  }
  let texts: string[] = []
  let length = 0
  for (const request of readRequests(opened.io, false)) {
    const line = fromBytes(request)
    // As in git, a line ends before a NUL.
    const nul = line.indexOf('\0')
    texts.push(nul < 0 ? `${line}\n` : line.slice(0, nul))
    length += line.length
    if (length >= MOST_TEXT) {
      flush(texts)
      texts = []
      length = 0
    }
  }
  flush(texts)
}

/** `%(is-base:<commit>)`: the ref that a branch most likely started from. */
import { isPacklensError } from '../../../base/errors.js'
import { fatal } from '../base/exit.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'
import type { Atom, RefFacts } from './ref-atoms.js'

/** Returns the field `%(is-base:<commit>)`, which at most one of the selected refs has. */
export function isBaseAtom(argument: string | undefined): Atom {
  if (argument === undefined) throw fatal('expected format: %(is-base:<committish>)')
  let base: RefFacts | null | undefined
  return (facts) => {
    if (base === undefined) base = baseOf(facts, argument)
    return { text: facts === base ? `(${argument})` : '' }
  }
}

/** Returns the first ref whose first parents reach those of a commit the nearest to the commit. */
function baseOf({ list, reader }: RefFacts, name: string): RefFacts | null {
  const commit = reader.find(`${name}^{commit}`)
  if (commit === null) throw fatal(`failed to find '${name}'`)
  const places = new Map(firstParents(reader, [commit]).map(([oid], place) => [oid, place]))
  const commits = list.selected.map(commitOf)
  const tips = commits.filter((oid) => oid !== null)
  // Histories that many refs share are walked once.
  const parents = new Map(firstParents(reader, [...tips, `^${commit}`]))
  let [nearest, least] = [null as RefFacts | null, Number.POSITIVE_INFINITY]
  for (const [at, tip] of commits.entries()) {
    const place = placeOf(tip, parents, places)
    if (place >= least) continue
    least = place
    nearest = list.selected[at] ?? null
  }
  return nearest
}

/** Returns the commit of a ref; `null` for other objects, and for tags that lead to none. */
function commitOf(facts: RefFacts): string | null {
  try {
    return facts.commit
  } catch (error) {
    if (isPacklensError(error, 'CORRUPT', 'NOT_FOUND')) return null
    throw error
  }
}

/** Returns the place at which the first parents of a commit reach those with places. */
function placeOf(
  tip: string | null,
  parents: ReadonlyMap<string, string | undefined>,
  places: Map<string, number>,
): number {
  const passed: string[] = []
  let next: string | null | undefined = tip
  while (next && !places.has(next)) {
    passed.push(next)
    next = parents.get(next)
  }
  const place = next ? (places.get(next) ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  for (const oid of passed) places.set(oid, place)
  return place
}

/** Lists commits that first parents reach, each with its own one. */
function firstParents(
  reader: Reader,
  names: readonly string[],
): [oid: string, parent: string | undefined][] {
  const rows: [string, string | undefined][] = []
  const how = {
    firstParent: true,
    simplify: ['excludeFirstParentOnly'],
    lines: ['parents'],
  } as const
  const question = { kind: 'revList', specs: reader.specs(names), ...how } as const
  reader.pages(question, (page) => {
    for (const line of fromBytes(page).split('\n').slice(0, -1)) {
      const [oid = '', parent] = line.split(' ')
      rows.push([oid, parent])
    }
  })
  return rows
}

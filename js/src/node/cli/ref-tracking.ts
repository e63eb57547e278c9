/** The fields of tracked branches: `%(upstream)`, `%(push)` and `%(ahead-behind)`. */
import { fatal } from './exit.js'
import type { Reader } from './reader.js'
import type { Atom, RefFacts } from './ref-atoms.js'
import { nameShower, unrecognized } from './ref-names.js'
import { readRef } from './refnames.js'

/** Returns the field `%(upstream)` or `%(push)`, with the argument after its colon. */
export function trackingAtom(name: 'upstream' | 'push', argument: string | undefined): Atom {
  const words = argument?.split(',') ?? []
  const brackets = !words.includes('nobracket')
  const [shown, ...more] = words.filter((word) => word !== 'nobracket')
  if (more.length > 0) throw fatal(`packlens for-each-ref does not support %(${name}:${argument})`)
  const ref = (facts: RefFacts) => followed(facts, name)
  switch (shown) {
    case 'track':
      return (facts) => ({ text: track(facts, ref(facts), brackets) })
    case 'trackshort':
      return (facts) => ({ text: trackShort(facts, ref(facts)) })
    case 'remotename':
      return (facts) => ({ text: remoteName(facts, name) })
    case 'remoteref':
      if (name === 'push') throw fatal('packlens for-each-ref does not support %(push:remoteref)')
      return (facts) => ({ text: ref(facts) === '' ? '' : facts.tracking.there })
  }
  if (argument !== undefined && words.length !== 1) throw unrecognized(name, argument)
  const show = nameShower(name, argument, ref)
  return (facts) => show(facts, facts.oid)
}

/** Returns the field `%(ahead-behind:<commit>)`. */
export function aheadBehindAtom(argument: string | undefined): Atom {
  if (argument === undefined) throw fatal('expected format: %(ahead-behind:<committish>)')
  let base: string | null | undefined
  return (facts) => {
    if (base === undefined) base = facts.reader.find(`${argument}^{commit}`)
    if (base === null) throw fatal(`failed to find '${argument}'`)
    const own = facts.reader.find(`${facts.oid}^{commit}`)
    if (own === null) return { text: '' }
    const { ahead, behind } = distance(facts.reader, own, base)
    return { text: `${ahead} ${behind}` }
  }
}

function followed({ tracking }: RefFacts, name: 'upstream' | 'push'): string {
  return tracking[name]
}

function remoteName({ tracking }: RefFacts, name: 'upstream' | 'push'): string {
  if (name === 'push') return tracking.pushRemote
  return tracking.upstream === '' ? '' : tracking.remote
}

function track(facts: RefFacts, ref: string, brackets: boolean): string {
  if (ref === '') return ''
  const both = distanceTo(facts, ref)
  const said = both === null ? 'gone' : words(both)
  return said === '' || !brackets ? said : `[${said}]`
}

function words({ ahead, behind }: Distance): string {
  const said = [...(ahead ? [`ahead ${ahead}`] : []), ...(behind ? [`behind ${behind}`] : [])]
  return said.join(', ')
}

function trackShort(facts: RefFacts, ref: string): string {
  const both = ref === '' ? null : distanceTo(facts, ref)
  if (both === null) return ''
  if (both.ahead && both.behind) return '<>'
  if (both.ahead) return '>'
  return both.behind ? '<' : '='
}

interface Distance {
  readonly ahead: number
  readonly behind: number
}

function distanceTo({ reader, oid }: RefFacts, ref: string): Distance | null {
  const other = readRef(reader, ref)?.oid
  return other == null ? null : distance(reader, oid, other)
}

/** Counts the commits that are reachable from only one of two commits, for each of them. */
function distance(reader: Reader, one: string, other: string): Distance {
  return { ahead: only(reader, one, other), behind: only(reader, other, one) }
}

function only(reader: Reader, one: string, other: string): number {
  if (one === other) return 0
  const specs = reader.specs([`${other}..${one}`])
  let text = ''
  reader.pages({ kind: 'revList', specs, count: true }, (page) => {
    text += Buffer.from(page).toString('latin1')
  })
  return Number(text)
}

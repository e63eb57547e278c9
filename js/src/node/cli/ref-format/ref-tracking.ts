/** The fields of tracked branches: `%(upstream)`, `%(push)` and `%(ahead-behind)`. */
import { fatal } from '../base/exit.js'
import { readRef } from '../refs/refnames.js'
import type { Atom, RefFacts } from './ref-atoms.js'
import type { Distance } from './ref-distances.js'
import { nameShower, unrecognized } from './ref-names.js'

/** Returns the field `%(upstream)` or `%(push)`, with the argument after its colon. */
export function trackingAtom(name: 'upstream' | 'push', argument: string | undefined): Atom {
  const words = argument?.split(',') ?? []
  const brackets = !words.includes('nobracket')
  const [shown, ...more] = words.filter((word) => word !== 'nobracket')
  if (more.length > 0) throw fatal(`packlens for-each-ref does not support %(${name}:${argument})`)
  const ref = (facts: RefFacts) => followed(facts, name)
  switch (shown) {
    case 'track':
      return (facts) => ({ text: track(facts, name, brackets) })
    case 'trackshort':
      return (facts) => ({ text: trackShort(facts, name) })
    case 'remotename':
      return (facts) => ({ text: remoteName(facts, name) })
    case 'remoteref':
      if (name === 'push') return (facts) => ({ text: pushedAs(facts) })
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
    const to = base
    const pair = ({ commit }: RefFacts): Pair | null => (commit === null ? null : [commit, to])
    const distance = distanceOf(facts, pair)
    if (distance === null) return { text: '' }
    const { ahead, behind } = distance
    return { text: `${ahead} ${behind}` }
  }
}

type Followed = 'upstream' | 'push'
type Pair = readonly [string, string]

function followed({ tracking }: RefFacts, name: Followed): string {
  return tracking[name]
}

function remoteName({ tracking }: RefFacts, name: 'upstream' | 'push'): string {
  if (name === 'push') return tracking.pushRemote
  return tracking.upstream === '' ? '' : tracking.remote
}

/** Returns the ref of the remote that a branch is pushed to, if `remote.<name>.push` names it. */
function pushedAs({ ref, tracking, list: { settings } }: RefFacts): string {
  if (!ref.name.startsWith('refs/heads/')) return ''
  const remotes = settings.names.flatMap((name) => /^remote\.(.*)\.[^.]+$/s.exec(name)?.[1] ?? [])
  const [only = 'origin', ...others] = new Set(remotes)
  const remote = tracking.pushRemote || (others.length > 0 ? 'origin' : only)
  const specs = settings.texts(`remote.${remote}.push`)
  const isOut = (spec: string) => spec.startsWith('^') && mapped(`${spec.slice(1)}:x*`, ref.name)
  if (specs.some(isOut)) return ''
  return specs.map((spec) => mapped(spec, ref.name)).find((name) => name !== '') ?? ''
}

/** Maps a name by a refspec; empty if that is about other refs. */
function mapped(spec: string, name: string): string {
  const [, from = '', to = ''] = /^\+?([^:]*):(.*)$/s.exec(spec) ?? []
  const star = from.indexOf('*')
  if (star < 0) return from === name ? to : ''
  const [before, after] = [from.slice(0, star), from.slice(star + 1)]
  const isLong = name.length >= before.length + after.length
  if (!isLong || !name.startsWith(before) || !name.endsWith(after)) return ''
  const middle = name.slice(before.length, name.length - after.length)
  return to.replace('*', () => middle)
}

function track(facts: RefFacts, name: Followed, brackets: boolean): string {
  if (followed(facts, name) === '') return ''
  const both = distanceTo(facts, name)
  const said = both === null ? 'gone' : words(both)
  return said === '' || !brackets ? said : `[${said}]`
}

function words({ ahead, behind }: Distance): string {
  const said = [...(ahead ? [`ahead ${ahead}`] : []), ...(behind ? [`behind ${behind}`] : [])]
  return said.join(', ')
}

function trackShort(facts: RefFacts, name: Followed): string {
  const both = followed(facts, name) === '' ? null : distanceTo(facts, name)
  if (both === null) return ''
  if (both.ahead && both.behind) return '<>'
  if (both.ahead) return '>'
  return both.behind ? '<' : '='
}

/** Returns how far a ref is from the one that it follows; `null` if that does not exist. */
function distanceTo(facts: RefFacts, name: Followed): Distance | null {
  return distanceOf(facts, (ref) => {
    const there = followed(ref, name)
    const other = there === '' ? null : readRef(ref.reader, there)?.oid
    return other == null ? null : [ref.oid, other]
  })
}

/** Returns the distance of a pair, and has those of all listed refs counted with it. */
function distanceOf(facts: RefFacts, pair: (facts: RefFacts) => Pair | null): Distance | null {
  const { distances, listed } = facts.list
  const own = pair(facts)
  return own && distances.between(...own, () => listed.map(pair).filter((other) => other !== null))
}

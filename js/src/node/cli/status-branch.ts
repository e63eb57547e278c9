/** What a status says of the branch. */
import { decodeReflog } from '../../objects/reflog.js'
import { bytesOfArgument, toBytes } from './bytes.js'
import type { Opened } from './command.js'
import { RefDistances } from './ref-distances.js'
import { readRef, shortenRefname } from './refnames.js'

interface Branch {
  /** The commit; `null` if there is none yet. */
  readonly commit: string | null
  /** The full name; `null` if `HEAD` is detached. */
  readonly ref: string | null
  /** The short name of the upstream; `null` for none. */
  readonly upstream: string | null
  /** The upstream's commit; `null` if it has none. */
  readonly upstreamCommit: string | null
}

const HEADS = 'refs/heads/'

function branchOf({ reader }: Opened): Branch {
  const head = readRef(reader, 'HEAD')
  const ref = head?.target == null ? null : bytesOfArgument(head.target)
  const commit = head?.oid ?? reader.find('HEAD')
  const { upstream } = ref?.startsWith(HEADS) ? reader.tracking(ref) : { upstream: '' }
  if (upstream === '') return { commit, ref, upstream: null, upstreamCommit: null }
  const upstreamCommit = readRef(reader, upstream)?.oid ?? null
  return { commit, ref, upstream: shortenRefname(reader, upstream, false), upstreamCommit }
}

function shortName(ref: string): string {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref
}

/** Returns the line of the short formats: `main...origin/main [ahead 1]`. */
export function branchLine(opened: Opened, counted: boolean): string {
  const { commit, ref, upstream, upstreamCommit } = branchOf(opened)
  if (ref === null) return 'HEAD (no branch)'
  const name = shortName(ref)
  if (commit === null)
    return `No commits yet on ${name}${upstream === null ? '' : `...${upstream} [gone]`}`
  if (upstream === null) return name
  if (upstreamCommit === null) return `${name}...${upstream} [gone]`
  if (!counted) return `${name}...${upstream}${commit === upstreamCommit ? '' : ' [different]'}`
  const { ahead, behind } = distance(opened, commit, upstreamCommit)
  const said = [...(ahead ? [`ahead ${ahead}`] : []), ...(behind ? [`behind ${behind}`] : [])]
  return `${name}...${upstream}${said.length > 0 ? ` [${said.join(', ')}]` : ''}`
}

/** Returns the headers of the second format for programs. */
export function* branchHeaders(
  opened: Opened,
  { shown, named, counted }: { shown: boolean; named: boolean; counted: boolean },
): Generator<string, undefined> {
  if (shown) {
    const { commit, ref, upstream, upstreamCommit } = branchOf(opened)
    yield `branch.oid ${commit ?? '(initial)'}`
    yield `branch.head ${ref === null ? '(detached)' : shortName(ref)}`
    if (upstream !== null) yield `branch.upstream ${upstream}`
    if (commit !== null && upstreamCommit !== null) {
      const { ahead, behind } = counted ? distance(opened, commit, upstreamCommit) : UNCOUNTED
      const isSame = commit === upstreamCommit
      yield counted || isSame ? `branch.ab +${ahead} -${behind}` : 'branch.ab +? -?'
    }
  }
  if (named) {
    const count = stashes(opened)
    if (count > 0) yield `stash ${count}`
  }
}

const UNCOUNTED = { ahead: 0, behind: 0 }

function distance({ reader }: Opened, commit: string, other: string) {
  return new RefDistances(reader).between(commit, other, () => [])
}

/** Returns how many entries the reflog of the stash has. */
function stashes({ reader }: Opened): number {
  let count = 0
  reader.pages({ kind: 'reflog', name: toBytes('refs/stash') }, (page) => {
    count += [...decodeReflog(Uint8Array.from(page))].length
  })
  return count
}

/** What a status says of the branch. */
import { decodeReflog } from '../../../objects/reflog.js'
import type { Opened } from '../opening/command.js'
import { type Distance, RefDistances } from '../ref-format/ref-distances.js'
import { readRef, shortenRefname } from '../refs/refnames.js'
import type { Tracking } from '../repository/reader.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'
import { paint, type StatusColors } from './status-colors.js'

export interface Branch {
  /** The commit; `null` if there is none yet. */
  readonly commit: string | null
  /** The full name; `null` if `HEAD` is detached. */
  readonly ref: string | null
  /** The short name of the upstream; `null` for none. */
  readonly upstream: string | null
  /** The upstream's commit; `null` if it has none. */
  readonly upstreamCommit: string | null
  /** The full names of the upstream and of where the branch is pushed to; empty for none. */
  readonly tracking: Pick<Tracking, 'upstream' | 'push' | 'pushRemote'>
}

const HEADS = 'refs/heads/'
const UNTRACKED = { upstream: '', push: '', pushRemote: '' }

export function branchOf({ reader }: Opened): Branch {
  const head = readRef(reader, 'HEAD')
  const ref = head?.target == null ? null : bytesOfArgument(head.target)
  const commit = head?.oid ?? reader.find('HEAD')
  const tracking = ref?.startsWith(HEADS) ? reader.tracking(ref) : UNTRACKED
  const { upstream } = tracking
  if (upstream === '') return { commit, ref, upstream: null, upstreamCommit: null, tracking }
  const upstreamCommit = readRef(reader, upstream)?.oid ?? null
  const short = shortenRefname(reader, upstream, false)
  return { commit, ref, upstream: short, upstreamCommit, tracking }
}

export function shortName(ref: string): string {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref
}

/** Returns the line of the short formats: `## main...origin/main [ahead 1]`. */
export function branchLine(opened: Opened, counted: boolean, colors: StatusColors): string {
  const { commit, ref, upstream, upstreamCommit } = branchOf(opened)
  const { header, localbranch: local, remotebranch: remote } = colors
  const line = (...pieces: readonly (readonly [text: string, color: string])[]) => {
    return pieces.map(([text, color]) => paint(text, color)).join('')
  }
  if (ref === null) return line(['## ', header], ['HEAD (no branch)', colors.nobranch])
  const first = [
    ['## ', header],
    ...(commit === null ? ([['No commits yet on ', header]] as const) : []),
    [shortName(ref), local],
  ] as const
  if (upstream === null) return line(...first)
  const both = [...first, ['...', header], [upstream, remote]] as const
  const within = (...pieces: readonly (readonly [text: string, color: string])[]) => {
    return line(...both, [' [', header], ...pieces, [']', header])
  }
  if (commit === null || upstreamCommit === null) return within(['gone', header])
  if (commit === upstreamCommit) return line(...both)
  if (!counted) return within(['different', header])
  const { ahead, behind } = distance(opened, commit, upstreamCommit)
  return within(
    ...(ahead
      ? ([
          ['ahead ', header],
          [`${ahead}`, local],
        ] as const)
      : []),
    ...(ahead && behind ? ([[', ', header]] as const) : []),
    ...(behind
      ? ([
          ['behind ', header],
          [`${behind}`, remote],
        ] as const)
      : []),
  )
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

export function distance({ reader }: Opened, commit: string, other: string): Distance {
  return new RefDistances(reader).between(commit, other, () => [])
}

/** Returns how many entries the reflog of the stash has. */
export function stashes({ reader }: Opened): number {
  let count = 0
  reader.pages({ kind: 'reflog', name: toBytes('refs/stash') }, (page) => {
    count += [...decodeReflog(Uint8Array.from(page))].length
  })
  return count
}

/** Lists the refs of a repository, with the names that the page shows. */
import type { Ref, Repository } from 'packlens'
import type { OpeningOptions } from './opened'

export type RefKind = 'branch' | 'tag' | 'remote' | 'other'

export interface NamedRef {
  /** The name in addresses: see route.ts. */
  readonly rev: string
  /** The name on the page. */
  readonly label: string
  readonly kind: RefKind
  /** `null` if the ref is unborn. */
  readonly oid: string | null
  /** The peeled id. */
  readonly peeled: string | null
}

export interface Head {
  /** The full name of the branch; `null` if HEAD is detached. */
  readonly target: string | null
  readonly oid: string | null
}

const KINDS: readonly (readonly [prefix: string, kind: RefKind, mark: string])[] = [
  ['refs/heads/', 'branch', ''],
  ['refs/tags/', 'tag', 'tag:'],
  ['refs/remotes/', 'remote', 'remote:'],
]

/** Milliseconds between two reports of progress. */
const BETWEEN = 100

export async function listRefs(
  repo: Repository,
  { signal, onProgress }: OpeningOptions,
): Promise<NamedRef[]> {
  const refs: NamedRef[] = []
  const report = () => {
    const { requests, receivedBytes: received } = repo.stats()
    onProgress?.({ phase: 'refs', done: refs.length, total: 0, requests, received })
    return performance.now()
  }
  let reported = report()
  for await (const ref of repo.refs.list({ peel: true, ...(signal && { signal }) })) {
    refs.push(namedRef(ref))
    if (performance.now() - reported >= BETWEEN) reported = report()
  }
  return refs
}

/** Returns HEAD; in its place a branch, if there is none, as in many bundles. */
export async function readHead(repo: Repository, refs: readonly NamedRef[]): Promise<Head> {
  const head = await repo.refs.get('HEAD')
  if (head) return { target: head.target ?? null, oid: head.oid }
  const branches = refs.filter(({ kind }) => kind === 'branch')
  const branch = branches.find(({ label }) => /^(main|master|trunk)$/.test(label)) ?? branches[0]
  if (!branch) return { target: null, oid: null }
  return { target: `refs/heads/${branch.label}`, oid: branch.oid }
}

function namedRef({ name, oid, peeled }: Ref): NamedRef {
  const ref = { oid, peeled: peeled ?? oid }
  for (const [prefix, kind, mark] of KINDS) {
    if (!name.startsWith(prefix)) continue
    const label = name.slice(prefix.length)
    // A branch can be called HEAD, whose plain name stands for the real HEAD.
    const rev = label === 'HEAD' && mark === '' ? `ref:${name}` : mark + label
    return { rev, label, kind, ...ref }
  }
  return { rev: `ref:${name}`, label: name, kind: 'other', ...ref }
}

/** Returns `main` for `refs/heads/main`. */
export function branchLabel(fullName: string): string {
  return fullName.replace(/^refs\/heads\//, '')
}

/** Finds the ref of a name in an address; `null` if there is none. */
export function findRef(refs: readonly NamedRef[], head: Head, rev: string): NamedRef | null {
  if (rev === 'HEAD') {
    const branch = refs.find((ref) => ref.kind === 'branch' && isHead(ref, head))
    const label = head.target ? branchLabel(head.target) : 'HEAD'
    const none = { rev, label, kind: 'other' as const }
    return branch ?? { ...none, oid: head.oid, peeled: head.oid }
  }
  const known = refs.find((ref) => ref.rev === rev)
  if (known) return known
  const oid = /^id:([0-9a-f]{40}(?:[0-9a-f]{24})?)$/.exec(rev)?.[1]
  return oid ? { rev, label: oid, kind: 'other', oid, peeled: oid } : null
}

export function isHead(ref: NamedRef, head: Head): boolean {
  return ref.kind === 'branch' && head.target === `refs/heads/${ref.label}`
}

/** The refs of a repository as the page names them. */
import type { Ref, Repository } from 'packlens'

export type RefKind = 'branch' | 'tag' | 'remote' | 'other'

export interface NamedRef {
  /** How it is called in addresses: see route.ts. */
  readonly rev: string
  /** How it is called on the page. */
  readonly label: string
  readonly kind: RefKind
  /** `null` if it leads to no object yet. */
  readonly oid: string | null
  /** What it leads to once tags are followed. */
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

export async function listRefs(repo: Repository): Promise<NamedRef[]> {
  const refs: NamedRef[] = []
  for await (const ref of repo.refs.list({ peel: true })) refs.push(namedRef(ref))
  return refs
}

export async function readHead(repo: Repository): Promise<Head> {
  const head = await repo.refs.get('HEAD')
  return { target: head?.target ?? null, oid: head?.oid ?? null }
}

function namedRef({ name, oid, peeled }: Ref): NamedRef {
  const ref = { oid, peeled: peeled ?? oid }
  for (const [prefix, kind, mark] of KINDS) {
    if (!name.startsWith(prefix)) continue
    const label = name.slice(prefix.length)
    // A branch can be called HEAD; the address of that name is taken.
    const rev = label === 'HEAD' && mark === '' ? `ref:${name}` : mark + label
    return { rev, label, kind, ...ref }
  }
  return { rev: `ref:${name}`, label: name, kind: 'other', ...ref }
}

/** `main` for `refs/heads/main`. */
export function branchLabel(fullName: string): string {
  return fullName.replace(/^refs\/heads\//, '')
}

/** Finds what an address calls a ref; `null` if there is none of that name. */
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

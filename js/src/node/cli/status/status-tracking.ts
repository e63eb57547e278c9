/** The lines of a long status that say how far the branch is from its upstream. */
import type { Opened } from '../opening/command.js'
import type { Distance } from '../ref-format/ref-distances.js'
import { readRef, shortenRefname } from '../refs/refnames.js'
import { type Branch, distance } from './status-branch.js'
import type { StatusPage } from './status-page.js'

/** A ref that the branch is compared with. */
interface Compared {
  readonly name: string
  /** The commit; `null` if the ref does not exist. */
  readonly commit: string | null
  readonly isUpstream: boolean
  /** Whether the branch is pushed there, as far as that is known. */
  readonly isPushed: boolean
  /** The remote and the branch there, for a hint; empty for the upstream, `null` if not known. */
  readonly from: string | null
}

const BOTH = /^@\{(upstream|push)\}$/i

/** Adds how far the branch is from the refs that `status.compareBranches` names, or its upstream. */
export function addTracking(
  page: StatusPage,
  opened: Opened,
  branch: Branch,
  isCounted: boolean,
): void {
  if (branch.ref === null || branch.commit === null) return
  for (const one of comparedOf(opened, branch)) {
    if (one.commit === null) {
      page.line(`Your branch is based on '${one.name}', but the upstream is gone.`)
      page.hint('use "git branch --unset-upstream" to fixup')
    } else if (one.commit === branch.commit) {
      page.line(`Your branch is up to date with '${one.name}'.`)
    } else if (!isCounted) {
      page.line(`Your branch and '${one.name}' refer to different commits.`)
      if (one.isPushed) page.hint('use "git status --ahead-behind" for details')
    } else addDistance(page, one, distance(opened, branch.commit, one.commit))
    page.blank('')
  }
}

function addDistance(page: StatusPage, compared: Compared, { ahead, behind }: Distance): void {
  const { name, isUpstream, isPushed, from } = compared
  const commits = (count: number) => `${count} commit${count === 1 ? '' : 's'}`
  if (behind === 0) {
    page.line(`Your branch is ahead of '${name}' by ${commits(ahead)}.`)
    if (isPushed) page.hint('use "git push" to publish your local commits')
  } else if (ahead === 0) {
    page.line(`Your branch is behind '${name}' by ${commits(behind)}, and can be fast-forwarded.`)
    if (from !== null) page.hint(`use "git pull${from}" to update your local branch`)
  } else {
    page.line(`Your branch and '${name}' have diverged,`)
    page.line(`and have ${ahead} and ${behind} different commits each, respectively.`)
    if (isUpstream)
      page.hint('use "git pull" if you want to integrate the remote branch with yours')
  }
}

function comparedOf({ io, reader, settings }: Opened, branch: Branch): Compared[] {
  const { upstream, push, pushRemote } = branch.tracking
  const words = settings.text('status.comparebranches')?.split(/[ \t\n]+/) ?? ['@{upstream}']
  const refs = new Set<string>()
  for (const word of words.filter((word) => word !== '')) {
    const which = BOTH.exec(word)?.[1]?.toLowerCase()
    if (which === undefined) {
      const what = `ignoring value '${word}' for status.compareBranches`
      io.writeError(`warning: ${what}, only @{upstream} and @{push} are supported\n`)
    } else refs.add(which === 'push' ? push : upstream)
  }
  const all = [...refs].map((ref): Compared => {
    const isUpstream = ref === upstream
    const remote = `refs/remotes/${pushRemote}/`
    const pushed = ref.startsWith(remote) ? ` ${pushRemote} ${ref.slice(remote.length)}` : null
    return {
      name: ref === '' ? '' : shortenRefname(reader, ref, false),
      commit: ref === '' ? null : (readRef(reader, ref)?.oid ?? null),
      isUpstream,
      isPushed: push === '' || push === ref,
      from: isUpstream ? '' : pushed,
    }
  })
  // Without its ref, only the upstream is worth a word.
  return all.filter(({ name, commit, isUpstream }) => name !== '' && (commit || isUpstream))
}

/** The first line of a long status: the branch, or what was checked out. */
import { decodeReflog } from '../../../objects/reflog.js'
import type { Opened } from '../opening/command.js'
import { refsCalled } from '../refs/refnames.js'
import { fromBytes, toBytes } from '../text/bytes.js'
import { type Branch, shortName } from './status-branch.js'
import type { StatusPage } from './status-page.js'
import type { UnderWay } from './under-way.js'

/** The message of a reflog about a checkout. */
const CHECKOUT = /^checkout: moving from (?:.*?) to (.*)$/s

export function addHeading(
  page: StatusPage,
  opened: Opened,
  branch: Branch,
  { rebase }: UnderWay,
): void {
  const { nobranch, branch: named } = page.colors
  const { ref } = branch
  if (ref !== null) page.pieces('', [['On branch '], [shortName(ref), named]])
  else if (rebase) {
    const kind = rebase.plan === null ? 'rebase' : 'interactive rebase'
    page.pieces('', [
      [`${kind} in progress; onto `, nobranch],
      [rebase.onto ?? '(null)', named],
    ])
  } else {
    const from = detachedFrom(opened, branch.commit)
    if (from === null) page.pieces('', [['Not currently on any branch.', nobranch]])
    else {
      page.pieces('', [
        [`HEAD detached ${from.isThere ? 'at' : 'from'} `, nobranch],
        [from.name, named],
      ])
    }
  }
}

/** Returns what was checked out last, and whether `HEAD` is still there. */
function detachedFrom(
  { reader, settings }: Opened,
  head: string | null,
): { readonly name: string; readonly isThere: boolean } | null {
  let found: { readonly given: string; readonly oid: string } | undefined
  reader.pages({ kind: 'reflog', name: toBytes('HEAD') }, (page) => {
    for (const { messageBytes, newOid } of decodeReflog(Uint8Array.from(page))) {
      const [, given] = CHECKOUT.exec(fromBytes(messageBytes)) ?? []
      if (found === undefined && given !== undefined && newOid !== null) {
        found = { given, oid: newOid }
      }
    }
  })
  if (found === undefined) return null
  const { given, oid } = found
  const isThere = head === oid
  // Other ways to name a commit, such as `HEAD~2`, are no names of refs.
  const [full, ...others] = given === 'HEAD' ? [] : refsCalled(reader, given)
  if (full !== undefined && others.length === 0 && reader.find(`${full}^{commit}`) === oid) {
    return { name: full.replace(/^refs\/(tags|remotes)\//, ''), isThere }
  }
  return { name: settings.digits === null ? oid : reader.abbreviate(oid, settings.digits), isThere }
}

import { useState } from 'preact/hooks'
import type { Opened } from '../repository/opened'
import type { NamedRef, RefKind } from '../repository/refs'
import { branchLabel, isHead } from '../repository/refs'
import { shortId } from '../text/format'
import { visibleText } from '../text/visible'
import { first } from '../words/first'

/** More refs than these become elements only when the user turns to the list. */
const FEW = 100

interface Props {
  readonly id?: string
  readonly opened: Opened
  /** The selected revision, which need not be a ref. */
  readonly rev: string
  readonly onChange: (rev: string) => void
}

/** Lists all branches, tags and other refs to choose from. */
export function RefSelect({ id, opened, rev, onChange }: Props) {
  const { refs, withoutRefs } = opened
  const [turned, setTurned] = useState(false)
  const listed = turned || refs.length <= FEW ? refs : refs.filter((ref) => ref.rev === rev)
  const known = listed.some((ref) => ref.rev === rev)
  const groups: readonly (readonly [RefKind, string])[] = [
    ['branch', first.branches],
    ['tag', first.tags],
    ['remote', first.remotes],
    ['other', withoutRefs ? first.tips : first.otherRefs],
  ]
  const listAll = () => setTurned(true)
  return (
    <select
      id={id}
      value={rev}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onFocus={listAll}
      onPointerEnter={listAll}
      onPointerDown={listAll}
    >
      {known ? null : <option value={rev}>{labelOfUnknown(opened, rev)}</option>}
      {groups.map(([kind, title]) => (
        <Group
          key={kind}
          title={title}
          refs={listed.filter((ref) => ref.kind === kind)}
          {...{ opened }}
        />
      ))}
    </select>
  )
}

function Group(props: { title: string; refs: readonly NamedRef[]; opened: Opened }) {
  const { title, refs, opened } = props
  if (refs.length === 0) return null
  return (
    <optgroup label={title}>
      {refs.map((ref) => (
        <option key={ref.rev} value={ref.rev}>
          {visibleText(ref.label) + (isHead(ref, opened.head) ? first.isHead : '')}
        </option>
      ))}
    </optgroup>
  )
}

/** Shows a detached or unborn HEAD, and commits that were opened by id. */
function labelOfUnknown({ head }: Opened, rev: string): string {
  if (rev.startsWith('id:')) return first.commitCalled(shortId(rev.slice(3)))
  if (rev !== 'HEAD') return visibleText(rev)
  if (head.target) return first.unborn(visibleText(branchLabel(head.target)))
  return head.oid ? first.detached(shortId(head.oid)) : 'HEAD'
}

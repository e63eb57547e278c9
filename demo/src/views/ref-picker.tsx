import type { Opened } from '../repository/opened'
import type { NamedRef, RefKind } from '../repository/refs'
import { branchLabel, findRef, isHead } from '../repository/refs'
import { formatRoute, pathRoute } from '../route'
import { count, shortId } from '../text/format'
import { visibleText } from '../text/visible'

interface Props {
  readonly opened: Opened
  /** The selected ref. */
  readonly rev: string
  readonly onFind: () => void
}

/** Lists all branches, tags and other refs to choose from. */
export function RefPicker({ opened, rev, onFind }: Props) {
  const { refs, head, withoutRefs } = opened
  const selected = findRef(refs, head, rev)?.rev ?? rev
  const known = refs.some((ref) => ref.rev === selected)
  const groups: readonly (readonly [RefKind, string])[] = [
    ['branch', 'Branches'],
    ['tag', 'Tags'],
    ['remote', 'Remote branches'],
    ['other', withoutRefs ? 'Newest commits: a pack has no branches' : 'Other refs'],
  ]
  const go = ({ currentTarget }: { currentTarget: HTMLSelectElement }) => {
    location.hash = pathRoute(currentTarget.value)
  }
  return (
    <div class="ref-picker">
      <label for="ref">Branch or tag</label>
      <select id="ref" value={selected} onChange={go}>
        {known ? null : <option value={selected}>{labelOfUnknown(opened, selected)}</option>}
        {groups.map(([kind, title]) => (
          <Group
            key={kind}
            title={title}
            refs={refs.filter((ref) => ref.kind === kind)}
            {...{ opened }}
          />
        ))}
      </select>
      <a class="small" href={formatRoute({ type: 'refs' })}>
        {summary(refs)}
      </a>
      <button type="button" class="find" onClick={onFind}>
        Find a file <kbd>t</kbd>
      </button>
    </div>
  )
}

function Group(props: { title: string; refs: readonly NamedRef[]; opened: Opened }) {
  const { title, refs, opened } = props
  if (refs.length === 0) return null
  return (
    <optgroup label={title}>
      {refs.map((ref) => (
        <option key={ref.rev} value={ref.rev}>
          {visibleText(ref.label) + (isHead(ref, opened.head) ? ' (HEAD)' : '')}
        </option>
      ))}
    </optgroup>
  )
}

/** Shows a detached or unborn HEAD, and commits that were opened by id. */
function labelOfUnknown({ head }: Opened, rev: string): string {
  if (rev.startsWith('id:')) return `commit ${shortId(rev.slice(3))}`
  if (rev !== 'HEAD') return visibleText(rev)
  if (head.target) return `${visibleText(branchLabel(head.target))} (HEAD, no commits yet)`
  return head.oid ? `HEAD, detached at ${shortId(head.oid)}` : 'HEAD'
}

function summary(refs: readonly NamedRef[]): string {
  const number = (kind: RefKind) => refs.filter((ref) => ref.kind === kind).length
  const parts = [count(number('branch'), 'branch', 'branches'), count(number('tag'), 'tag')]
  if (number('remote') > 0) parts.push(count(number('remote'), 'remote branch', 'remote branches'))
  return parts.join(' · ')
}

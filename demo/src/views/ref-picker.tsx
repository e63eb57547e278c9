import type { Opened } from '../repository/opened'
import type { NamedRef, RefKind } from '../repository/refs'
import { findRef } from '../repository/refs'
import { formatRoute, pathRoute } from '../route'
import { count } from '../text/format'
import { RefSelect } from './ref-select'

interface Props {
  readonly opened: Opened
  /** The selected ref. */
  readonly rev: string
  readonly onFind: () => void
}

/** Chooses what is shown: a branch, a tag, or another ref. */
export function RefPicker({ opened, rev, onFind }: Props) {
  const { refs, head } = opened
  return (
    <div class="ref-picker">
      <label for="ref">Branch or tag</label>
      <RefSelect
        id="ref"
        opened={opened}
        rev={findRef(refs, head, rev)?.rev ?? rev}
        onChange={(chosen) => {
          location.hash = pathRoute(chosen)
        }}
      />
      <a class="small" href={formatRoute({ type: 'refs' })}>
        {summary(refs)}
      </a>
      <button type="button" class="find" onClick={onFind}>
        Find a file <kbd>t</kbd>
      </button>
    </div>
  )
}

function summary(refs: readonly NamedRef[]): string {
  const number = (kind: RefKind) => refs.filter((ref) => ref.kind === kind).length
  const parts = [count(number('branch'), 'branch', 'branches'), count(number('tag'), 'tag')]
  if (number('remote') > 0) parts.push(count(number('remote'), 'remote branch', 'remote branches'))
  return parts.join(' · ')
}

import type { Opened } from '../repository/opened'
import type { NamedRef, RefKind } from '../repository/refs'
import { findRef } from '../repository/refs'
import type { Route } from '../route'
import { formatRoute, pathRoute } from '../route'
import { first } from '../words/first'
import { RefSelect } from './ref-select'

interface Props {
  readonly opened: Opened
  /** The selected ref. */
  readonly rev: string
  readonly route: Route
  readonly onFind: () => void
}

/** Chooses what is shown: a branch, a tag, or another ref. */
export function RefPicker({ opened, rev, route, onFind }: Props) {
  const { refs, head } = opened
  return (
    <div class="ref-picker">
      <label for="ref">{first.refLabel}</label>
      <RefSelect
        id="ref"
        opened={opened}
        rev={findRef(refs, head, rev)?.rev ?? rev}
        onChange={(chosen) => {
          location.hash = atRev(route, chosen)
        }}
      />
      <a class="small" href={formatRoute({ type: 'refs' })}>
        {summary(refs)}
      </a>
      <button type="button" class="find" onClick={onFind}>
        {first.find} <kbd>t</kbd>
      </button>
    </div>
  )
}

/** Returns the address of the same path of another revision; of the files, from a page of no path. */
function atRev(route: Route, rev: string): string {
  // Its lines are other ones there.
  return route.type === 'path' ? formatRoute({ ...route, rev, lines: undefined }) : pathRoute(rev)
}

function summary(refs: readonly NamedRef[]): string {
  const number = (kind: RefKind) => refs.filter((ref) => ref.kind === kind).length
  const { branches, tags, remotes } = first.counts
  const parts = [branches(number('branch')), tags(number('tag'))]
  if (number('remote') > 0) parts.push(remotes(number('remote')))
  return parts.join(' · ')
}

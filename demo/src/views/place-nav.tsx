import type { Page } from '../reading/page'
import type { PathRoute, PathView } from '../route'
import { formatRoute } from '../route'

/** Links to the views of a path. */
export function PlaceNav({ page, route }: { page: Page; route: PathRoute }) {
  const isFile = page.type === 'file'
  const views: readonly (readonly [PathView, string])[] = [
    ['files', isFile ? 'Code' : 'Files'],
    ...(isFile || route.view === 'blame' ? [['blame', 'Blame'] as const] : []),
    ['history', 'History'],
    ...(isFile ? [] : [['search', 'Search'] as const]),
  ]
  return (
    <nav class="tabs" aria-label="Views of this path">
      {views.map(([view, label]) => (
        <a
          key={view}
          href={formatRoute({ ...route, view, query: undefined, lines: undefined })}
          aria-current={view === route.view ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}

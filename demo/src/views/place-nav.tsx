import type { Page } from '../reading/page'
import type { PathRoute, PathView } from '../route'
import { formatRoute } from '../route'
import { first } from '../words/first'

/** Links to the views of a path. */
export function PlaceNav({ page, route }: { page: Page; route: PathRoute }) {
  const { tabs } = first
  const isFile = page.type === 'file' || ('isFile' in page && page.isFile)
  const views: readonly (readonly [PathView, string])[] = [
    ['files', isFile ? tabs.code : tabs.files],
    ...(isFile || route.view === 'blame' ? [['blame', tabs.blame] as const] : []),
    ['history', tabs.history],
    ...(isFile ? [] : [['search', tabs.search] as const]),
  ]
  return (
    <nav class="tabs" aria-label={first.views}>
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

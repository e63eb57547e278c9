/** What the keys of a page do: views/keys-help.tsx lists them. */
import type { Opened } from './repository/opened'
import type { PathRoute, PathView, Route } from './route'
import { formatRoute } from './route'
import { moveInList } from './use-keys'
import type { Shown } from './use-page'

interface Situation {
  readonly opened: Opened
  readonly route: Route
  /** The revision that was shown last. */
  readonly rev: string
  readonly shown: Shown | null
  readonly setDialog: (dialog: 'finder' | 'keys') => void
}

export function keysFor({ route, rev, shown, setDialog }: Situation) {
  const here: PathRoute =
    route.type === 'path' ? route : { type: 'path', view: 'files', rev, path: [] }
  const go = (change: Partial<PathRoute>) => {
    location.hash = formatRoute({ ...here, lines: undefined, query: undefined, ...change })
  }
  const view = (view: PathView) => () => go({ view })
  const page = shown && 'page' in shown.result ? shown.result.page : null
  const isFile = page?.type === 'file'
  return {
    t: () => setDialog('finder'),
    '?': () => setDialog('keys'),
    '/': () => go({ view: 'search', path: isFile ? here.path.slice(0, -1) : here.path }),
    h: view('history'),
    ...(isFile && { b: view('blame') }),
    j: () => moveInList(1),
    k: () => moveInList(-1),
    ArrowDown: () => moveInList(1),
    ArrowUp: () => moveInList(-1),
    ...(here.path.length > 0 && { u: () => go({ view: 'files', path: here.path.slice(0, -1) }) }),
    y: () => {
      const commit = page && 'place' in page ? page.place.commit : null
      if (!commit || route.type !== 'path') return
      // Replaced: it is the same page.
      location.replace(formatRoute({ ...route, rev: `id:${commit.oid}` }))
    },
  }
}

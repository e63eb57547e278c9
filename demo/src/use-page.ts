import { useEffect, useState } from 'preact/hooks'
import type { MoreViews } from './load-more'
import { loadMore } from './load-more'
import type { Page } from './reading/page'
import { readPage } from './reading/page'
import type { Opened } from './repository/opened'
import type { Route } from './route'
import { bytesOf, formatRoute } from './route'
import { shortId } from './text/format'
import { visibleBytes } from './text/visible'
import { first } from './words/first'

/** A page that was read, or the error of reading it. */
export interface Shown {
  /** A key that differs for each place in the repository. */
  readonly key: string
  /** Returns the title in the language of the page. */
  readonly title: () => string
  readonly route: Route
  /** Aborted once another page is asked for: this one reads no more then. */
  readonly left: AbortSignal
  readonly result:
    | { readonly page: Page; readonly more: MoreViews | null }
    | { readonly error: unknown }
}

/** Reads the page of a route; returns the previous page until then. */
export function usePage(opened: Opened, route: Route) {
  const [shown, setShown] = useState<Shown | null>(null)
  const key = keyOf(route)
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const title = () => titleOf(route)
    const show = (result: Shown['result']) => {
      if (!signal.aborted) setShown({ key, title, route, result, left: signal })
    }
    const read = async () => {
      // While the page is read, because most need it.
      if (!isTop(route)) loadMore().catch(() => {})
      // Not after what the page before still reads, such as sizes.
      const page = await opened.meter.beside(title, () => readPage(opened, route))
      const isFolder = page.type === 'tree' || page.type === 'unborn'
      return { page, more: isFolder ? null : await loadMore() }
    }
    read().then(show, (error: unknown) => show({ error }))
    return () => left.abort()
  }, [opened, key])
  useEffect(() => {
    // Any other page needs it. If it cannot be loaded, that page says so.
    if (shown) loadMore().catch(() => {})
  }, [shown === null])
  return { shown, busy: shown?.key !== key }
}

/** Whether a route names a whole tree, which is the page that most visits begin with. */
function isTop(route: Route): boolean {
  return route.type === 'path' && route.view === 'files' && route.path.length === 0
}

/** Lines are part of the page of their file. */
function keyOf(route: Route): string {
  return formatRoute(route.type === 'path' ? { ...route, lines: undefined } : route)
}

function titleOf(route: Route): string {
  return route.type === 'path' ? first.titles[route.view](placeOf(route)) : placeOf(route)
}

function placeOf(route: Route): string {
  if (route.type === 'commit') return first.titles.commit(shortId(route.oid))
  if (route.type === 'refs') return first.titles.refs
  if (route.type === 'compare') return first.titles.compare(route.old, route.changed)
  const name = route.path.at(-1)
  if (name === undefined) return route.rev.startsWith('id:') ? first.titles.commitFiles : route.rev
  return visibleBytes(bytesOf(name))
    .map((run) => run.text)
    .join('')
}

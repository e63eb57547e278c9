import type { RevListOptions } from 'packlens'
import { useMemo } from 'preact/hooks'
import { CommitLog } from '../reading/commit-log'
import type { Place } from '../reading/page'
import { pathBytesOf } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { PathRoute, Query } from '../route'
import { formatRoute } from '../route'
import { Lanes } from '../text/lanes'
import { useList } from '../use-list'
import { first } from '../words/first'
import { pages } from '../words/pages'
import { CommitItem } from './commit-item'
import { GraphCell } from './graph-cell'
import { MoreButton } from './more-button'
import { FailureNote } from './notices'

interface Props {
  readonly opened: Opened
  readonly place: Place
  readonly route: PathRoute
}

/** Lists the commits of a history, or those that changed a path, with a search. */
export function HistoryView({ opened, place, route }: Props) {
  const { query } = route
  const start = place.commit?.oid
  const key = `${start} ${formatRoute(route)}`
  const { list, loading, failure, version, more } = useList(
    opened.meter,
    () => pages.actions.history,
    key,
    () =>
      start === undefined ? null : new CommitLog(opened.repo, start, optionsFor(place, query)),
  )
  // Only a whole history has lines between all of its commits.
  const hasGraph = place.path.length === 0 && !query?.text && !query?.author
  const rows = useMemo(() => (list && hasGraph ? graphOf(list) : []), [list, version, hasGraph])
  const lanes = rows.reduce((most, { lane }) => Math.max(most, lane + 1), 0)
  if (start === undefined) return <p class="note">{pages.noCommits}</p>
  return (
    <section class="card commits" aria-labelledby="history" aria-busy={loading}>
      <div class="card-head file-head">
        <h2 id="history">{place.path.length === 0 ? pages.commits : pages.pathCommits}</h2>
        <SearchForm route={route} />
      </div>
      <ol>
        {list?.commits.map((commit, at) => {
          const row = rows[at]
          return (
            <li key={commit.oid} class={row ? 'with-graph' : undefined}>
              {row ? <GraphCell row={row} lanes={lanes} /> : null}
              <div>
                <CommitItem opened={opened} commit={commit} />
              </div>
            </li>
          )
        })}
      </ol>
      <FailureNote text={failure} />
      <p class="card-foot faint">
        {list?.done ? first.allCommits(list.commits.length) : null}
        {list && !list.done && !failure ? (
          <MoreButton loading={loading} version={version} onMore={more} />
        ) : null}
      </p>
    </section>
  )
}

function optionsFor({ path }: Place, query: Query | undefined): RevListOptions {
  const { text, author } = query ?? {}
  const bytes = pathBytesOf({ path })
  return {
    // A renamed file is followed; of a folder, git follows nothing.
    ...(path.length > 0 && { path: bytes, follow: true }),
    ...(text && { grep: text }),
    ...(author && { author }),
    ignoreCase: true,
    regexp: 'fixed',
  }
}

function graphOf({ commits }: CommitLog) {
  const lanes = new Lanes()
  return commits.map(({ oid, parents }) => lanes.add(oid, parents))
}

function SearchForm({ route }: { route: PathRoute }) {
  const search = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const query = { text: String(fields.get('text')), author: String(fields.get('author')) }
    location.hash = formatRoute({ ...route, query })
  }
  return (
    <form class="search-form" aria-label={pages.searchCommits} onSubmit={search}>
      <input
        name="text"
        type="search"
        placeholder={pages.message}
        aria-label={pages.messageLabel}
        defaultValue={route.query?.text ?? ''}
      />
      <input
        name="author"
        type="search"
        placeholder={pages.author}
        aria-label={pages.author}
        defaultValue={route.query?.author ?? ''}
      />
      <button type="submit">{pages.search}</button>
    </form>
  )
}

import type { RevListOptions } from 'packlens'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { adviceFor } from '../reading/advice'
import { CommitLog } from '../reading/commit-log'
import type { Place } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { PathRoute, Query } from '../route'
import { formatRoute } from '../route'
import { count } from '../text/format'
import { Lanes } from '../text/lanes'
import { joined } from '../text/paths'
import { CommitItem } from './commit-item'
import { GraphCell } from './graph-cell'

interface Props {
  readonly opened: Opened
  readonly place: Place
  readonly route: PathRoute
}

/** Lists the commits of a history, or those that changed a path, with a search. */
export function HistoryView({ opened, place, route }: Props) {
  const { query } = route
  const start = place.commit?.oid
  const [log, setLog] = useState<CommitLog | null>(null)
  const [shown, setShown] = useState(0)
  const [loading, setLoading] = useState(false)
  const [failure, setFailure] = useState('')
  const more = async (log: CommitLog, isWanted: () => boolean) => {
    setLoading(true)
    let drawn = performance.now()
    const onFound = () => {
      if (!isWanted() || performance.now() - drawn < BETWEEN) return
      drawn = performance.now()
      setShown(log.commits.length)
    }
    try {
      await opened.meter.beside('History', () => log.more(onFound))
    } catch (error) {
      const { title, detail } = adviceFor(error)
      if (isWanted()) setFailure(`${title}. ${detail}`)
    }
    if (!isWanted()) return
    setLoading(false)
    setShown(log.commits.length)
  }
  useEffect(() => {
    if (start === undefined) return
    const next = new CommitLog(opened.repo, start, optionsFor(place, query))
    let isCurrent = true
    setLog(next)
    setFailure('')
    void more(next, () => isCurrent)
    return () => {
      isCurrent = false
      next.close()
    }
  }, [opened.repo, start, formatRoute(route)])
  // Only a whole history has lines between all of its commits.
  const hasGraph = place.path.length === 0 && !query?.text && !query?.author
  const rows = useMemo(() => (log && hasGraph ? graphOf(log) : []), [log, shown, hasGraph])
  const lanes = rows.reduce((most, { lane }) => Math.max(most, lane + 1), 0)
  if (start === undefined) return <p class="note">There are no commits here.</p>
  const commits = log?.commits ?? []
  return (
    <section class="card commits" aria-labelledby="history" aria-busy={loading}>
      <div class="card-head file-head">
        <h2 id="history">
          {place.path.length === 0 ? 'Commits' : 'Commits that changed this path'}
        </h2>
        <SearchForm route={route} />
      </div>
      <ol>
        {commits.slice(0, Math.max(shown, 0)).map((commit, at) => {
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
      {failure ? (
        <p class="note error" role="alert">
          {failure}
        </p>
      ) : null}
      {log && !failure ? (
        <Foot log={log} loading={loading} onMore={() => void more(log, () => true)} />
      ) : null}
    </section>
  )
}

/** Milliseconds between two updates of the page. */
const BETWEEN = 200

function optionsFor({ path }: Place, query: Query | undefined): RevListOptions {
  const { text, author } = query ?? {}
  const bytes = joined(path.map((part) => part.bytes))
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
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const query = { text: String(fields.get('text')), author: String(fields.get('author')) }
    location.hash = formatRoute({ ...route, query })
  }
  return (
    <form class="search-form" aria-label="Search commits" onSubmit={search}>
      <input
        name="text"
        type="search"
        placeholder="Message"
        aria-label="Text of the message"
        defaultValue={route.query?.text ?? ''}
      />
      <input
        name="author"
        type="search"
        placeholder="Author"
        aria-label="Author"
        defaultValue={route.query?.author ?? ''}
      />
      <button type="submit">Search</button>
    </form>
  )
}

/** Continues when it comes into view. */
function Foot(props: { log: CommitLog; loading: boolean; onMore: () => void }) {
  const { log, loading, onMore } = props
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (loading || log.done || !button.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore())
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [log, loading, log.commits.length])
  if (log.done)
    return <p class="card-foot faint">{count(log.commits.length, 'commit')}: these are all.</p>
  return (
    <p class="card-foot">
      <button ref={button} type="button" disabled={loading} onClick={onMore}>
        {loading ? 'Loading…' : 'Load more'}
      </button>
    </p>
  )
}

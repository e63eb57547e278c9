import type { GrepHit } from 'packlens'
import { useEffect, useRef } from 'preact/hooks'
import type { FileHits } from '../reading/hits'
import { HitList } from '../reading/hits'
import type { Place } from '../reading/page'
import { pathBytesOf, rootOf } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { PathRoute } from '../route'
import { formatRoute, keysOf } from '../route'
import { useList } from '../use-list'
import { pages } from '../words/pages'
import { MoreButton } from './more-button'
import { FailureNote } from './notices'
import { Name } from './text'

interface Props {
  readonly opened: Opened
  readonly place: Place
  readonly route: PathRoute
}

/** Searches the files below a path. */
export function SearchView({ opened, place, route }: Props) {
  const { query } = route
  const root = rootOf(place)
  const key = `${root} ${formatRoute(route)}`
  const { list, loading, failure, version, more } = useList(
    opened.meter,
    () => pages.actions.search,
    key,
    () => (query?.text ? new HitList(opened.repo, root, pathBytesOf(place), query) : null),
  )
  return (
    <section aria-label={pages.searchFiles} aria-busy={loading}>
      <div class="card">
        <div class="card-head file-head">
          <h2>{pages.searchFiles}</h2>
          <SearchForm route={route} />
        </div>
        <FailureNote text={failure} />
        {list ? (
          <p class="note faint" role="status">
            {loading ? pages.searching : ''}
            {pages.hits(list.count, list.files.length, list.done)}
          </p>
        ) : null}
      </div>
      {list?.files.map((file) => (
        <FileCard key={file.path} file={file} route={route} />
      ))}
      {list && !list.done && !failure ? (
        <MoreButton loading={loading} version={version} onMore={more} />
      ) : null}
    </section>
  )
}

function SearchForm({ route }: { route: PathRoute }) {
  const { query = {} } = route
  const search = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const value = (name: string) => String(fields.get(name) ?? '')
    const query = { text: value('text'), syntax: value('syntax'), case: value('case') }
    location.hash = formatRoute({ ...route, query })
  }
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!query.text) field.current?.focus()
  }, [])
  return (
    <form class="search-form" aria-label={pages.searchFiles} onSubmit={search}>
      <input
        ref={field}
        name="text"
        type="search"
        placeholder={pages.text}
        aria-label={pages.textLabel}
        defaultValue={query.text ?? ''}
      />
      <label>
        <input name="case" type="checkbox" value="exact" defaultChecked={query.case === 'exact'} />{' '}
        {pages.matchCase}
      </label>
      <label>
        <input
          name="syntax"
          type="checkbox"
          value="regexp"
          defaultChecked={query.syntax === 'regexp'}
        />{' '}
        {pages.regexp}
      </label>
      <button type="submit">{pages.search}</button>
    </form>
  )
}

function FileCard({ file, route }: { file: FileHits; route: PathRoute }) {
  const path = keysOf(file.pathBytes)
  const href = (line?: number) =>
    formatRoute({
      ...{ type: 'path', view: 'files', rev: route.rev, path },
      lines: line ? { first: line, last: line } : undefined,
    })
  return (
    <section class="card patch">
      <h3 class="card-head">
        <a href={href()}>
          <Name bytes={file.pathBytes} />
        </a>
      </h3>
      <table class="diff hits">
        <tbody>
          {file.lines.map((hit, at) =>
            hit.kind === 'binary' ? (
              <tr key={at}>
                <td colSpan={2}>{pages.binaryHit}</td>
              </tr>
            ) : (
              <tr key={at} class={classOf(hit, file.lines[at - 1])}>
                <td class="line-number">
                  <a href={href(hit.line)}>{hit.line}</a>
                </td>
                <td>
                  <HitLine hit={hit} />
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}

/** A line above shows that lines are left out between two others. */
function classOf({ kind, line }: GrepHit, before: GrepHit | undefined): string {
  return before && before.line + 1 < line ? `${kind} gap` : kind
}

/** Marks what matches. Matches are counted in bytes. */
function HitLine({ hit: { bytes, text, matches } }: { hit: GrepHit }) {
  if (matches.length === 0) return <>{text}</>
  const decoder = new TextDecoder()
  let at = 0
  const parts = matches.flatMap(([start, end]) => {
    const before = decoder.decode(bytes.subarray(at, start))
    at = end
    return [before, <mark key={start}>{decoder.decode(bytes.subarray(start, end))}</mark>]
  })
  return (
    <>
      {parts}
      {decoder.decode(bytes.subarray(at))}
    </>
  )
}

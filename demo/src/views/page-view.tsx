import type { MoreViews } from '../load-more'
import type { Page, Place } from '../reading/page'
import { NotFound } from '../reading/page'
import type { Opened } from '../repository/opened'
import { findRef } from '../repository/refs'
import type { PathRoute, Route } from '../route'
import { bytesOf, formatRoute, home, pathRoute } from '../route'
import { LeftProvider } from '../use-left'
import type { Shown } from '../use-page'
import { first } from '../words/first'
import { Breadcrumbs } from './breadcrumbs'
import { Commits } from './commits'
import { Failure, NoCommits, Waiting } from './notices'
import { PlaceNav } from './place-nav'
import { Received } from './received'
import { Tags } from './tags'
import { TreeView } from './tree'

interface Props {
  readonly opened: Opened
  readonly shown: Shown | null
  /** The address of the page, which may name other lines than when the page was read. */
  readonly route: Route
}

export function PageView({ opened, shown, route }: Props) {
  if (!shown) {
    return (
      <Waiting what={first.reading}>
        <Received opened={opened} />
      </Waiting>
    )
  }
  const { result, key } = shown
  if ('error' in result) {
    return <FailedPage key={key} opened={opened} error={result.error} route={shown.route} />
  }
  const { page, more } = result
  if (page.type === 'unborn') return <NoCommits opened={opened} label={page.ref.label} />
  if ('place' in page) {
    if (route.type !== 'path') return null
    return (
      <LeftProvider value={shown.left}>
        <div class="beside">
          <PlaceView key={key} {...{ opened, page, more, route }} />
          {/* Without a key: it stays while the file changes. */}
          {more && page.type in ONE_FILE ? (
            <more.FileTree {...{ opened }} place={page.place} />
          ) : null}
        </div>
      </LeftProvider>
    )
  }
  if (!more) return null
  const { CommitView, CompareView, RefsView } = more
  if (page.type === 'commit') return <CommitView key={key} opened={opened} page={page} />
  if (page.type === 'refs') return <RefsView opened={opened} />
  return <CompareView key={key} opened={opened} page={page} route={shown.route} />
}

/** The pages of an entry that is no folder. */
const ONE_FILE = { file: true, symlink: true, submodule: true }

interface FailedProps {
  readonly opened: Opened
  readonly error: unknown
  readonly route: Route
}

/** Leads on, so that an address that is wrong is no dead end. */
function FailedPage({ opened, error, route }: FailedProps) {
  const { name, refs, head } = opened
  const known = route.type === 'path' && findRef(refs, head, route.rev) ? route : null
  const files = known ? pathRoute(known.rev) : formatRoute(home)
  const path = known?.path.map((key) => ({ key, bytes: bytesOf(key) })) ?? []
  return (
    <>
      {known && path.length > 0 ? <Breadcrumbs root={name} rev={known.rev} path={path} /> : null}
      <Failure error={error}>
        {files === location.hash ? null : <a href={files}>{first.toFiles}</a>}
        {known && path.length > 0 && error instanceof NotFound ? (
          // It may have been deleted or renamed.
          <a href={pathRoute(known.rev, known.path, 'history')}>{first.pathHistory}</a>
        ) : null}
      </Failure>
    </>
  )
}

type PageOfPlace = Extract<Page, { place: Place }>

interface PlaceProps {
  readonly opened: Opened
  readonly page: PageOfPlace
  readonly more: MoreViews | null
  readonly route: PathRoute
}

function PlaceView(props: PlaceProps) {
  const { opened, page, route } = props
  const { ref, path, tags } = page.place
  return (
    <div>
      <div class="place">
        <Breadcrumbs root={opened.name} rev={ref.rev} path={path} />
        <PlaceNav page={page} route={route} />
      </div>
      {path.length === 0 ? <Tags tags={tags} /> : null}
      <PlaceContent {...props} />
    </div>
  )
}

function PlaceContent({ opened, page, more, route }: PlaceProps) {
  const { place } = page
  switch (page.type) {
    case 'tree':
      return (
        <div class="columns">
          <div>
            <TreeView opened={opened} page={page} />
          </div>
          <Aside opened={opened} place={place} />
        </div>
      )
    case 'history':
      return more && <more.HistoryView {...{ opened, place, route }} />
    case 'search':
      return more && <more.SearchView {...{ opened, place, route }} />
    case 'symlink':
      return more && <more.SymlinkView page={page} />
    case 'submodule':
      return more && <more.SubmoduleView {...{ opened, page }} />
    case 'file':
      if (route.view === 'blame') return more && <more.BlameView {...{ opened, page }} />
      return more && <more.FileView {...{ opened, page, route }} />
  }
}

/** The list is the same in all folders of a commit, so it keeps the loaded commits. */
function Aside({ opened, place: { commit } }: { opened: Opened; place: Place }) {
  if (!commit) return null
  return (
    <aside aria-label={first.history}>
      <Commits key={commit.oid} opened={opened} start={commit.oid} />
    </aside>
  )
}

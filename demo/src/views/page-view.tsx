import type { Page, Place } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { Route } from '../route'
import type { Shown } from '../use-page'
import { BlameView } from './blame'
import { Breadcrumbs } from './breadcrumbs'
import { CommitView } from './commit'
import { Commits } from './commits'
import { FileView } from './file'
import { HistoryView } from './history'
import { SubmoduleView, SymlinkView } from './links'
import { Failure, NoCommits, Waiting } from './notices'
import { PlaceNav } from './place-nav'
import { Tags } from './tags'
import { TreeView } from './tree'

interface Props {
  readonly opened: Opened
  readonly shown: Shown | null
  /** The address, which may name other lines than when the page was read. */
  readonly route: Route
}

export function PageView({ opened, shown, route }: Props) {
  if (!shown) return <Waiting what="Reading" />
  const { result, key } = shown
  if ('error' in result) return <Failure key={key} error={result.error} />
  const { page } = result
  if (page.type === 'unborn') return <NoCommits opened={opened} label={page.ref.label} />
  if (page.type === 'commit') return <CommitView key={key} opened={opened} page={page} />
  const { ref, path, tags } = page.place
  return (
    <>
      <div class="place">
        <Breadcrumbs root={opened.name} rev={ref.rev} path={path} />
        {route.type === 'path' ? <PlaceNav page={page} route={route} /> : null}
      </div>
      {path.length === 0 ? <Tags tags={tags} /> : null}
      {page.type === 'tree' ? (
        <div class="columns">
          <div>
            <TreeView key={key} opened={opened} page={page} />
          </div>
          <Aside opened={opened} place={page.place} />
        </div>
      ) : (
        <Leaf key={key} opened={opened} page={page} route={route} />
      )}
    </>
  )
}

/** The list is the same in all folders of a commit, so it keeps the loaded commits. */
function Aside({ opened, place: { commit } }: { opened: Opened; place: Place }) {
  if (!commit) return null
  return (
    <aside aria-label="History">
      <Commits key={commit.oid} opened={opened} start={commit.oid} />
    </aside>
  )
}

function Leaf(props: {
  opened: Opened
  page: Exclude<Page, { type: 'unborn' | 'tree' | 'commit' }>
  route: Route
}) {
  const { opened, page, route } = props
  if (page.type === 'history') {
    return route.type === 'path' ? (
      <HistoryView opened={opened} place={page.place} route={route} />
    ) : null
  }
  if (page.type === 'symlink') return <SymlinkView page={page} />
  if (page.type === 'submodule') return <SubmoduleView page={page} />
  if (route.type === 'path' && route.view === 'blame') return <BlameView {...{ opened, page }} />
  return <FileView opened={opened} page={page} route={route} />
}

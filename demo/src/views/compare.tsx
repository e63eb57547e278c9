import { CommitLog } from '../reading/commit-log'
import type { Comparison } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { CompareRoute, Route } from '../route'
import { formatRoute } from '../route'
import { useList } from '../use-list'
import { first } from '../words/first'
import { pages } from '../words/pages'
import { Changes } from './changes'
import { CommitItem } from './commit-item'
import { MoreButton } from './more-button'
import { FailureNote } from './notices'
import { RefSelect } from './ref-select'

interface Props {
  readonly opened: Opened
  readonly page: Comparison
  readonly route: Route
}

/** Compares two revisions: the commits between them, and what these changed. */
export function CompareView({ opened, page, route }: Props) {
  const { old, changed } = page
  const { list, loading, failure, version, more } = useList(
    opened.meter,
    () => pages.actions.commits,
    `${old}..${changed}`,
    () => new CommitLog(opened.repo, `${old}..${changed}`, {}),
  )
  return (
    <>
      {route.type === 'compare' ? <CompareForm opened={opened} route={route} /> : null}
      <section class="card commits" aria-labelledby="between">
        <h2 id="between" class="card-head">
          {list?.done ? first.commits(list.commits.length) : pages.commits}
        </h2>
        <ol>
          {list?.commits.map((commit) => (
            <li key={commit.oid}>
              <CommitItem opened={opened} commit={commit} />
            </li>
          ))}
        </ol>
        <FailureNote text={failure} />
        {list && !list.done && !failure ? (
          <p class="card-foot">
            <MoreButton loading={loading} version={version} onMore={more} />
          </p>
        ) : null}
      </section>
      <Changes opened={opened} old={old} changed={changed} />
    </>
  )
}

function CompareForm({ opened, route }: { opened: Opened; route: CompareRoute }) {
  const go = (change: Partial<CompareRoute>) => {
    location.hash = formatRoute({ ...route, ...change })
  }
  return (
    <section class="card compare-form" aria-label={pages.compared}>
      <span>
        <label for="before">{pages.before}</label>{' '}
        <RefSelect id="before" opened={opened} rev={route.old} onChange={(old) => go({ old })} />
      </span>
      <span>
        <label for="after">{pages.after}</label>{' '}
        <RefSelect
          id="after"
          opened={opened}
          rev={route.changed}
          onChange={(changed) => go({ changed })}
        />
      </span>
      <label>
        <input
          type="checkbox"
          checked={route.sinceMergeBase}
          onChange={({ currentTarget }) => go({ sinceMergeBase: currentTarget.checked })}
        />{' '}
        {pages.sinceParted}
      </label>
      <button type="button" onClick={() => go({ old: route.changed, changed: route.old })}>
        {pages.swap}
      </button>
    </section>
  )
}

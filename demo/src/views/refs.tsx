import type { AheadBehind, CommitObject } from 'packlens'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { dateOf, readCommits, subjectOf } from '../reading/history'
import type { Opened } from '../repository/opened'
import type { NamedRef, RefKind } from '../repository/refs'
import { isHead } from '../repository/refs'
import { formatRoute, pathRoute } from '../route'
import { first } from '../words/first'
import { formatNumber } from '../words/language'
import { pages } from '../words/pages'
import { Ago } from './person'
import { Line } from './text'

/** The rows of a kind that are shown at first; the filter or a button finds the others. */
const MOST_ROWS = 100

interface Facts {
  readonly commits: ReadonlyMap<string, CommitObject>
  readonly distances: ReadonlyMap<string, AheadBehind>
}

/** Lists branches and tags, with their newest commit and their distance from HEAD. */
export function RefsView({ opened }: { opened: Opened }) {
  const [filter, setFilter] = useState('')
  const plain = filter.trim().toLowerCase()
  const fitting = useMemo(
    () => opened.refs.filter(({ label }) => label.toLowerCase().includes(plain)),
    [opened.refs, plain],
  )
  return (
    <section aria-label={pages.refs}>
      <div class="changes-head">
        <h2>{pages.refs}</h2>
        <input
          type="search"
          class="filter"
          placeholder={pages.filter}
          aria-label={pages.filter}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </div>
      <RefTable title={first.branches} kind="branch" opened={opened} refs={fitting} />
      <RefTable title={first.tags} kind="tag" opened={opened} refs={fitting} />
      <RefTable title={first.remotes} kind="remote" opened={opened} refs={fitting} />
    </section>
  )
}

interface TableProps {
  readonly title: string
  readonly kind: RefKind
  readonly opened: Opened
  readonly refs: readonly NamedRef[]
}

function RefTable({ title, kind, opened, refs }: TableProps) {
  const [all, setAll] = useState(false)
  const found = refs.filter((ref) => ref.kind === kind)
  const isCurrent = (ref: NamedRef) => isHead(ref, opened.head)
  // The current branch is the one that is looked for most.
  const rows = [...found.filter(isCurrent), ...found.filter((ref) => !isCurrent(ref))]
  const shown = all ? rows : rows.slice(0, MOST_ROWS)
  const { commits, distances } = useFacts(opened, shown, kind !== 'tag')
  if (rows.length === 0) return null
  return (
    <section class="card" aria-label={title}>
      <h3 class="card-head">
        {title} <small>{formatNumber(rows.length)}</small>
      </h3>
      <table class="files refs">
        <tbody>
          {shown.map((ref) => (
            <RefRow
              key={ref.rev}
              opened={opened}
              ref_={ref}
              commit={commits.get(ref.peeled ?? '')}
              distance={distances.get(ref.rev)}
            />
          ))}
        </tbody>
      </table>
      {shown.length < rows.length ? (
        <p class="card-foot">
          <button type="button" onClick={() => setAll(true)}>
            {pages.allNames(rows.length)}
          </button>
        </p>
      ) : null}
    </section>
  )
}

interface RowProps {
  readonly opened: Opened
  /** `ref` means something else to Preact. */
  readonly ref_: NamedRef
  readonly commit: CommitObject | undefined
  readonly distance: AheadBehind | undefined
}

function RefRow({ opened, ref_, commit, distance }: RowProps) {
  const { rev, label } = ref_
  const isCurrent = isHead(ref_, opened.head)
  const compare = { type: 'compare', old: 'HEAD', changed: rev, sinceMergeBase: true } as const
  return (
    <tr>
      <th scope="row">
        <a href={pathRoute(rev)}>
          <Line text={label} />
        </a>
        {isCurrent ? <span class="mark">HEAD</span> : null}
      </th>
      <td class="change">
        {commit ? (
          <a class="quiet-link" href={formatRoute({ type: 'commit', oid: commit.oid })}>
            <Line text={subjectOf(commit.message) || first.noMessage} />
          </a>
        ) : null}
      </td>
      <td class="when">{commit ? <Ago signature={commit.committer} /> : null}</td>
      <td class="distance">
        {distance && !isCurrent ? (
          <a href={formatRoute(compare)} title={pages.distance}>
            +{formatNumber(distance.ahead)} −{formatNumber(distance.behind)}
          </a>
        ) : null}
      </td>
    </tr>
  )
}

/** Reads the newest commits of refs, the newest known first, and their distances from HEAD. */
function useFacts(opened: Opened, refs: readonly NamedRef[], withDistances: boolean): Facts {
  const [facts, setFacts] = useState<Facts>({ commits: new Map(), distances: new Map() })
  const { repo, meter, head } = opened
  const key = refs.map(({ rev }) => rev).join('\n')
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const read = async () => {
      const ids = refs.flatMap(({ peeled }) => peeled ?? [])
      const commits = new Map<string, CommitObject>()
      for (const commit of await readCommits(repo, ids)) commits.set(commit.oid, commit)
      if (signal.aborted) return
      setFacts({ commits, distances: new Map() })
      if (!withDistances || head.oid === null) return
      const branches = refs
        .filter(({ peeled }) => commits.has(peeled ?? ''))
        .sort((one, other) => time(commits, other) - time(commits, one))
      const counted = await repo.aheadBehind(
        head.oid,
        branches.map(({ peeled }) => peeled ?? ''),
        { signal },
      )
      const pairs = branches.flatMap(({ rev }, at) => {
        const distance = counted[at]
        return distance ? [[rev, distance] as const] : []
      })
      setFacts({ commits, distances: new Map(pairs) })
    }
    // What cannot be read stays out, as in a shallow clone.
    meter.beside(() => pages.actions.branches, read).catch(() => {})
    return () => controller.abort()
  }, [repo, key])
  return facts
}

function time(commits: ReadonlyMap<string, CommitObject>, { peeled }: NamedRef): number {
  const commit = commits.get(peeled ?? '')
  return commit ? dateOf(commit) : 0
}

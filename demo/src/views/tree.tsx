import type { CommitObject, TreeEntry } from 'packlens'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { subjectOf } from '../reading/history'
import type { Page, Place, Readme, Row } from '../reading/page'
import { isMarkdown, rootOf } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { PathKey } from '../route'
import { formatRoute, pathRoute } from '../route'
import { formatSize, formatWholeSize, shortId } from '../text/format'
import { useLastChanges } from '../use-last-changes'
import { useSizes } from '../use-sizes'
import { first } from '../words/first'
import { DownloadZip } from './download-zip'
import type { IconName } from './icon'
import { Icon } from './icon'
import { Markdown } from './markdown'
import { Ago } from './person'
import { Line, Name } from './text'

/** The rows that are shown at first, and those that are added when the last one is in view. */
const FIRST_ROWS = 100
const MORE_ROWS = 300

type TreePage = Extract<Page, { type: 'tree' }>

export function TreeView({ opened, page }: { opened: Opened; page: TreePage }) {
  const [most, setMost] = useState(FIRST_ROWS)
  const { place, rows, readme } = page
  const base = place.path.map((part) => part.key)
  const shown = rows.slice(0, most)
  const body = useRef<HTMLTableSectionElement>(null)
  const sizes = useSizes(opened, body, most)
  const changes = useLastChanges(opened, place.commit?.oid ?? null, place.path)
  return (
    <>
      <section class="card" aria-labelledby="files">
        <div class="card-head file-head">
          <h2 id="files">
            {first.files} <small>{first.entries(rows.length)}</small>
          </h2>
          <DownloadZip opened={opened} page={page} />
        </div>
        {rows.length === 0 ? <p class="note">{first.emptyFolder}</p> : null}
        <table class="files" hidden={rows.length === 0}>
          <thead>
            <tr>
              <th scope="col">{first.columns.name}</th>
              <th scope="col" class="change">
                {first.columns.change}
              </th>
              <th scope="col" class="when">
                <span class="unseen">{first.columns.date}</span>
              </th>
              <th scope="col" class="number">
                {first.columns.size}
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {base.length > 0 ? <UpRow rev={place.ref.rev} base={base} /> : null}
            {shown.map((row, at) => (
              <EntryRow
                key={at}
                row={row}
                size={sizes.get(row.entry.oid)}
                change={changes.get(row.key)}
                href={pathRoute(place.ref.rev, [...base, row.key])}
              />
            ))}
          </tbody>
        </table>
        {shown.length < rows.length ? (
          <MoreRows
            shown={shown.length}
            total={rows.length}
            onMore={(number) => setMost(most + number)}
          />
        ) : null}
      </section>
      {readme ? <ReadmeView opened={opened} place={place} readme={readme} /> : null}
    </>
  )
}

interface MoreProps {
  readonly shown: number
  readonly total: number
  readonly onMore: (number: number) => void
}

/** Adds rows when it comes into view. */
function MoreRows({ shown, total, onMore }: MoreProps) {
  const foot = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!foot.current) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && onMore(MORE_ROWS),
    )
    observer.observe(foot.current)
    return () => observer.disconnect()
  }, [shown])
  return (
    <p class="card-foot" ref={foot}>
      <button type="button" onClick={() => onMore(total)}>
        {first.allEntries(total)}
      </button>
    </p>
  )
}

function UpRow({ rev, base }: { rev: string; base: readonly PathKey[] }) {
  return (
    <tr>
      <th scope="row" colSpan={4}>
        <a href={pathRoute(rev, base.slice(0, -1))} aria-label={first.up}>
          <Icon name="folder" />
          ..
        </a>
      </th>
    </tr>
  )
}

interface EntryProps {
  readonly row: Row
  /** `undefined` for missing files and for entries other than files. */
  readonly size: number | undefined
  /** The commit that last changed the entry; `undefined` until it is found. */
  readonly change: CommitObject | undefined
  readonly href: string
}

/** Stays as it is unless its own size or change is found: most rows do when others are. */
function EntryRow(props: EntryProps) {
  const { row, size, change, href } = props
  return useMemo(() => <EntryCells {...props} />, [row, size, change, href])
}

function EntryCells({ row, size, change, href }: EntryProps) {
  const { entry } = row
  const { icon, mark } = kindOf(entry)
  return (
    <tr data-blob={entry.type === 'blob' ? entry.oid : undefined}>
      <th scope="row">
        <a href={href}>
          <Icon name={icon} />
          <Name bytes={entry.nameBytes} />
        </a>
        {mark ? <span class="mark">{mark}</span> : null}
        {entry.type === 'commit' ? <code class="faint"> @&nbsp;{shortId(entry.oid)}</code> : null}
      </th>
      <td class="change">
        {change ? (
          <a class="quiet-link" href={formatRoute({ type: 'commit', oid: change.oid })}>
            <Line text={subjectOf(change.message) || first.noMessage} />
          </a>
        ) : null}
      </td>
      <td class="when">{change ? <Ago signature={change.committer} /> : null}</td>
      <td class="number" title={size === undefined ? undefined : formatWholeSize(size)}>
        {size === undefined ? '' : formatSize(size)}
      </td>
    </tr>
  )
}

function kindOf(entry: TreeEntry): { icon: IconName; mark: string } {
  if (entry.isTree) return { icon: 'folder', mark: '' }
  if (entry.isSubmodule) return { icon: 'module', mark: first.kinds.submodule }
  if (entry.isSymlink) return { icon: 'link', mark: first.kinds.symlink }
  if (entry.isExecutable) return { icon: 'program', mark: first.kinds.executable }
  return { icon: 'file', mark: '' }
}

function ReadmeView(props: { opened: Opened; place: Place; readme: Readme }) {
  const { opened, place, readme } = props
  const { row, content } = readme
  if (content.type !== 'text') return null
  const { rev } = place.ref
  return (
    <section class="card" aria-labelledby="readme">
      <h2 id="readme" class="card-head">
        <Name bytes={row.entry.nameBytes} />
      </h2>
      {isMarkdown(row.entry.name) ? (
        <Markdown
          {...{ opened, rev }}
          root={rootOf(place)}
          folder={place.path}
          text={content.text}
        />
      ) : (
        <pre class="prose">{content.text}</pre>
      )}
    </section>
  )
}

import type { FilePatch } from 'packlens'
import { ChangeList } from '../reading/changes'
import type { Opened } from '../repository/opened'
import { useList } from '../use-list'
import { useStored } from '../use-stored'
import { pages } from '../words/pages'
import { FilePatchView } from './file-patch'
import { FailureNote } from './notices'
import { Name } from './text'

interface Props {
  readonly opened: Opened
  /** The revisions to compare; `null` for the empty tree. */
  readonly old: string | null
  readonly changed: string
  /** What they are compared with, if that needs to be said. */
  readonly about?: string | undefined
}

export type Layout = 'unified' | 'split'

/** Shows what changed between two revisions, file by file. */
export function Changes({ opened, old, changed, about }: Props) {
  const { repo, meter } = opened
  const { list, loading, failure, more } = useList(
    meter,
    () => pages.actions.changes,
    `${old} ${changed}`,
    () => new ChangeList(repo, old, changed),
  )
  const [layout, setLayout] = useStored<Layout>('diff-layout', 'unified')
  if (!list) return null
  return (
    <section aria-labelledby="changes" aria-busy={loading}>
      <div class="changes-head">
        <h2 id="changes">{titleOf(list, loading)}</h2>
        <span class="added">+{list.added}</span> <span class="removed">−{list.removed}</span>
        {about ? <span class="faint small">{about}</span> : null}
        <LayoutChoice layout={layout} onChange={setLayout} />
      </div>
      {failure ? (
        <div class="card">
          <FailureNote text={failure} />
        </div>
      ) : null}
      {list.files.length > 1 ? <FileList files={list.files} /> : null}
      {list.files.map((patch, at) => (
        <FilePatchView key={at} opened={opened} rev={changed} patch={patch} layout={layout} />
      ))}
      {list.done || failure ? null : (
        <p>
          <button type="button" disabled={loading} onClick={more}>
            {loading ? pages.comparing : pages.moreFiles}
          </button>
        </p>
      )}
    </section>
  )
}

/** Lists the files, each with a bar of what is added and removed; a click goes to its patch. */
function FileList({ files }: { files: readonly FilePatch[] }) {
  const most = Math.max(1, ...files.map(({ added, removed }) => added + removed))
  const share = (lines: number) => `${((100 * lines) / most).toFixed(1)}%`
  const go = (event: MouseEvent, at: number) => {
    // The address of the page is the commit: it cannot hold the file, too.
    event.preventDefault()
    document.querySelectorAll('.patch')[at]?.scrollIntoView()
  }
  return (
    <details class="card changed-files" open={files.length <= OPEN_UP_TO}>
      <summary>{pages.files}</summary>
      <ol>
        {files.map(({ path, pathBytes, added, removed }, at) => (
          <li key={at}>
            <a href={location.hash} onClick={(event) => go(event, at)}>
              <Name bytes={pathBytes} />
            </a>
            <span class="bar" title={pages.addedRemoved(path, added, removed)}>
              <i class="bar-added" style={{ width: share(added) }} />
              <i class="bar-removed" style={{ width: share(removed) }} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Longer lists are opened on request. */
const OPEN_UP_TO = 20

function titleOf({ done, files }: ChangeList, loading: boolean): string {
  if (!done && files.length === 0) return loading ? pages.comparing : pages.changes
  return pages.changed(files.length, done)
}

function LayoutChoice(props: { layout: Layout; onChange: (layout: Layout) => void }) {
  const { layout, onChange } = props
  const choice = (value: Layout, label: string) => (
    <button type="button" aria-pressed={layout === value} onClick={() => onChange(value)}>
      {label}
    </button>
  )
  return (
    <fieldset class="choice">
      <legend class="unseen">{pages.layout}</legend>
      {choice('unified', pages.unified)}
      {choice('split', pages.split)}
    </fieldset>
  )
}

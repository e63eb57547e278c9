import type { Repository } from 'packlens'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { failureOf } from '../reading/advice'
import type { Opened } from '../repository/opened'
import { findRef } from '../repository/refs'
import { keysOf, pathRoute } from '../route'
import type { FoundPath } from '../text/fuzzy'
import { bestPaths } from '../text/fuzzy'
import { first } from '../words/first'
import { pages } from '../words/pages'
import { FailureNote } from './notices'

/** The paths that are shown. */
const MOST = 50

interface Props {
  readonly opened: Opened
  readonly rev: string
  readonly onClose: () => void
}

/** Finds a file of a revision by letters of its path. */
export function Finder({ opened, rev, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [paths, setPaths] = useState<readonly string[] | null>(null)
  const [failure, setFailure] = useState('')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    let isCurrent = true
    dialog.current?.showModal()
    const start = findRef(opened.refs, opened.head, rev)?.peeled
    const read = async () => (start ? pathsOf(opened.repo, start) : [])
    opened.meter
      .beside(() => pages.actions.fileNames, read)
      .then(
        (found) => isCurrent && setPaths(found),
        (error: unknown) => isCurrent && setFailure(failureOf(error)),
      )
    return () => {
      isCurrent = false
    }
  }, [])
  useEffect(() => {
    document.getElementById(`found-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const found = useMemo(() => bestPaths(paths ?? [], text, MOST), [paths, text])
  const hrefOf = (path: string) => pathRoute(rev, keysOf(new TextEncoder().encode(path)))
  const go = (path: string) => {
    location.hash = hrefOf(path)
    onClose()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (step !== 0) {
      event.preventDefault()
      setChosen((at) => Math.max(0, Math.min(found.length - 1, at + step)))
    }
    const path = found[chosen]?.path
    if (event.key === 'Enter' && path !== undefined) go(path)
  }
  return (
    <dialog ref={dialog} class="finder" aria-label={first.find} onClose={onClose}>
      <input
        // Not a search: there, Escape clears the text and leaves the dialog open.
        type="text"
        // biome-ignore lint/a11y/noRedundantRoles: without a list it is not implied
        role="combobox"
        list={undefined}
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${chosen}` : undefined}
        aria-label={pages.findLabel}
        placeholder={pages.findHint}
        value={text}
        onKeyDown={press}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setChosen(0)
        }}
      />
      <div id="found" role="listbox" aria-label={first.files}>
        {found.map(({ path, marks }, at) => (
          <div
            key={path}
            id={`found-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen}
            onClick={() => go(path)}
            onKeyDown={press}
          >
            <Marked path={path} marks={marks} />
          </div>
        ))}
      </div>
      <FailureNote text={failure} />
      <p class="faint small" role="status">
        {paths === null && !failure ? pages.readingNames : null}
        {paths !== null && found.length === 0 ? pages.noFile : null}
      </p>
    </dialog>
  )
}

function Marked({ path, marks }: FoundPath) {
  return (
    <>{Array.from(path, (letter, at) => (marks.has(at) ? <b key={at}>{letter}</b> : letter))}</>
  )
}

/** Names that are not UTF-8 are left out: the finder could not lead to them. */
async function pathsOf(repo: Repository, commit: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { path, type } of repo.walk(commit, { recursive: true })) {
    if (type === 'blob' && !path.includes('\ufffd')) paths.push(path)
  }
  return paths
}

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { failureOf } from '../reading/advice'
import type { Place, Row } from '../reading/page'
import { readRows } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { PathKey } from '../route'
import { pathRoute } from '../route'
import { useMedia } from '../use-media'
import { useStored } from '../use-stored'
import { first } from '../words/first'
import { pages } from '../words/pages'
import { FailureNote } from './notices'
import { Name } from './text'

/** The most entries of a folder that are listed: those around the file that is shown. */
const MOST = 200

interface Props {
  readonly opened: Opened
  readonly place: Place
}

/** Lists the files beside the one that is shown, where the screen has room. */
export function FileTree({ opened, place }: Props) {
  const isWide = useMedia('(min-width: 75rem)')
  const [shown, setShown] = useStored<'on' | 'off'>('tree', 'on')
  const { commit } = place
  if (!commit || !isWide) return null
  const isShown = shown === 'on'
  return (
    <nav class="file-tree" aria-label={pages.filesBeside}>
      <button
        type="button"
        class="quiet"
        aria-expanded={isShown}
        onClick={() => setShown(isShown ? 'off' : 'on')}
      >
        {first.files}
      </button>
      {isShown ? <Tree opened={opened} place={place} root={commit.tree} /> : null}
    </nav>
  )
}

function Tree({ opened, place, root }: Props & { root: string }) {
  const list = useRef<HTMLDivElement>(null)
  const current = place.path.map(({ key }) => key)
  const file = current.join('/')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    // The folders above the file are open, beside those that the user opened.
    const above = current.map((_, at) => current.slice(0, at).join('/'))
    setOpen((before) => new Set([...before, ...above]))
  }, [file])
  const toggle = (folder: string) => {
    const next = new Set(open)
    if (!next.delete(folder)) next.add(folder)
    setOpen(next)
  }
  const center = () => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {}
    if (!link || !list.current) return
    const { offsetTop } = link
    const isInView =
      offsetTop >= scrollTop && offsetTop + link.offsetHeight < scrollTop + clientHeight
    // Not scrollIntoView(), which would scroll the page as well.
    if (!isInView) list.current.scrollTop = offsetTop - clientHeight / 2
  }
  useLayoutEffect(center, [file])
  return (
    <div ref={list}>
      <Folder
        {...{ opened, open, current }}
        rev={place.ref.rev}
        oid={root}
        onToggle={toggle}
        base={[]}
        onRead={center}
      />
    </div>
  )
}

interface FolderProps {
  readonly opened: Opened
  readonly rev: string
  readonly oid: string
  readonly base: readonly PathKey[]
  /** The path of the file that is shown. */
  readonly current: readonly PathKey[]
  /** The paths of the folders that are open. */
  readonly open: ReadonlySet<string>
  readonly onToggle: (folder: string) => void
  readonly onRead: () => void
}

function Folder(props: FolderProps) {
  const { opened, rev, oid, base, current, open, onToggle, onRead } = props
  const [rows, setRows] = useState<readonly Row[]>([])
  const [failure, setFailure] = useState('')
  useEffect(() => {
    let isCurrent = true
    const show = (found: readonly Row[]) => isCurrent && setRows(found)
    readRows(opened.repo, oid).then(show, (error: unknown) => setFailure(failureOf(error)))
    return () => {
      isCurrent = false
    }
  }, [opened.repo, oid])
  useLayoutEffect(onRead, [rows])
  const isAbove = base.every((key, at) => key === current[at])
  const next = isAbove ? current[base.length] : undefined
  const at = rows.findIndex(({ key }) => key === next)
  const start = Math.max(0, Math.min(at - MOST / 2, rows.length - MOST))
  return (
    <>
      <FailureNote text={failure} />
      <ul>
        {rows.slice(start, start + MOST).map(({ entry, key }) => {
          const path = [...base, key]
          const folder = path.join('/')
          const isOpen = open.has(folder)
          if (entry.isTree) {
            return (
              <li key={key}>
                <button type="button" aria-expanded={isOpen} onClick={() => onToggle(folder)}>
                  <Name bytes={entry.nameBytes} />
                </button>
                {isOpen ? <Folder {...props} oid={entry.oid} base={path} /> : null}
              </li>
            )
          }
          const isShown = key === next && path.length === current.length
          return (
            <li key={key}>
              <a href={pathRoute(rev, path)} aria-current={isShown ? 'page' : undefined}>
                <Name bytes={entry.nameBytes} />
              </a>
            </li>
          )
        })}
        {rows.length > MOST ? (
          <li>
            <a href={pathRoute(rev, base)}>{first.allEntries(rows.length)}</a>
          </li>
        ) : null}
      </ul>
    </>
  )
}

import { Fragment } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { keysFor } from './page-keys'
import { addressCandidate } from './repository/address'
import { embeddedRepository } from './repository/embedded'
import type { Candidate, Opened } from './repository/opened'
import { readPageAddress } from './repository/page-address'
import type { Recent } from './repository/recent'
import { mayRead, recents, reopened } from './repository/recent'
import type { Route } from './route'
import { home } from './route'
import { scrollBack } from './scroll-back'
import { useKeys } from './use-keys'
import { useLanguage } from './use-language'
import { useOpening } from './use-opening'
import { usePage } from './use-page'
import { useRoute } from './use-route'
import type { DialogName } from './views/dialog'
import { Dialog } from './views/dialog'
import { DropZone } from './views/drop-zone'
import { Header } from './views/header'
import { Failure } from './views/notices'
import { OpeningNote, SearchNote } from './views/opening-note'
import { PageView } from './views/page-view'
import { OpenAgain } from './views/recent'
import { RefPicker } from './views/ref-picker'
import { Status } from './views/status'
import { first } from './words/first'

export function App() {
  const [route, setRoute] = useRoute()
  const [language, changeLanguage] = useLanguage()
  // A newly opened repository starts at its own HEAD, not at the path of the previous one.
  const { opened, opening, search, failure, start, dismiss } = useOpening(() => setRoute(home))
  const [waiting, setWaiting] = useState<Recent | null>(null)
  useEffect(() => {
    start(() => firstRepository(setWaiting), { keepRoute: true })
  }, [])
  return (
    <>
      <SkipButton />
      <Header opened={opened} onOpen={start} onLanguage={changeLanguage} />
      <DropZone onDrop={start} />
      {opening ? <OpeningNote opening={opening} /> : null}
      {search && !opening ? <SearchNote search={search} /> : null}
      {failure === null ? null : (
        <div class="page">
          <Failure error={failure} opening>
            <button type="button" onClick={dismiss}>
              {first.dismiss}
            </button>
          </Failure>
        </div>
      )}
      {opened ? (
        // A page holds texts: it is made anew in another language.
        <Fragment key={language}>
          <Viewer key={opened.meter} opened={opened} route={route} />
        </Fragment>
      ) : waiting && !opening ? (
        <OpenAgain recent={waiting} onOpen={start} />
      ) : (
        <main id="main" tabIndex={-1} />
      )}
      {opened ? <Status opened={opened} /> : null}
    </>
  )
}

/** Returns the repository that the address names, or the one that is served with the page. */
async function firstRepository(onWaiting: (recent: Recent) => void): Promise<Candidate | null> {
  const { url, recent } = readPageAddress(location.search)
  if (url !== null) return addressCandidate(url)
  const known = (await recents()).find(({ id }) => id === recent)
  if (!known) return embeddedRepository()
  if (await mayRead(known)) return reopened(known)
  onWaiting(known)
  return null
}

interface ViewerProps {
  readonly opened: Opened
  readonly route: Route
}

function Viewer({ opened, route }: ViewerProps) {
  const { shown, busy } = usePage(opened, route)
  const main = useRef<HTMLElement>(null)
  const rev = useRef('HEAD')
  if (route.type === 'path') rev.current = route.rev
  const [dialog, setDialog] = useState<DialogName | null>(null)
  useKeys(keysFor({ opened, route, rev: rev.current, shown, setDialog }))
  // The address is ahead while the next page is read: the one that is shown stays as it is.
  const current = useRef(route)
  if (!busy) current.current = route
  const content = useMemo(
    () => <PageView opened={opened} shown={shown} route={current.current} />,
    [opened, shown, current.current],
  )
  // It looks through all refs.
  const picker = useMemo(
    () => <RefPicker {...{ opened, route }} rev={rev.current} onFind={() => setDialog('finder')} />,
    [opened, route],
  )
  const isFirst = useRef(true)
  useEffect(() => {
    if (!shown) return
    document.title = `${shown.title()} · ${opened.name}`
    const hasLines = shown.route.type === 'path' && shown.route.lines
    if (!isFirst.current) focusIfLost(main.current)
    const isBack = scrollBack()
    if (!isBack && !isFirst.current && !hasLines) scrollTo(0, 0)
    isFirst.current = false
  }, [shown])
  return (
    <main id="main" ref={main} tabIndex={-1} class={busy ? 'page busy' : 'page'} aria-busy={busy}>
      {picker}
      {dialog ? (
        <Dialog name={dialog} {...{ opened }} rev={rev.current} onClose={() => setDialog(null)} />
      ) : null}
      {content}
    </main>
  )
}

/** The followed link is gone, so keyboard focus moves to the new content. */
function focusIfLost(main: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || activeElement === null)
    main?.focus({ preventScroll: true })
}

/** Not a link, because its address would be a path in the repository. */
function SkipButton() {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
      {first.skip}
    </button>
  )
}

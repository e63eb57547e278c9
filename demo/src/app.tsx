import { useEffect, useRef } from 'preact/hooks'
import { embeddedRepository } from './repository/embedded'
import type { Opened } from './repository/opened'
import { home } from './route'
import { useOpening } from './use-opening'
import { usePage } from './use-page'
import { useRoute } from './use-route'
import { DropZone } from './views/drop-zone'
import { Header } from './views/header'
import { Failure } from './views/notices'
import { OpeningNote, SearchNote } from './views/opening-note'
import { PageView } from './views/page-view'
import { RefPicker } from './views/ref-picker'
import { Status } from './views/status'

export function App() {
  const [route, setRoute] = useRoute()
  // Another repository begins at its own HEAD, not where the last one was left.
  const { opened, opening, search, failure, start, dismiss } = useOpening(() => setRoute(home))
  useEffect(() => start(embeddedRepository, { keepRoute: true }), [])
  return (
    <>
      <SkipButton />
      <Header opened={opened} onOpen={start} />
      <DropZone onDrop={start} />
      {opening ? <OpeningNote opening={opening} /> : null}
      {search && !opening ? <SearchNote search={search} /> : null}
      {failure === null ? null : (
        <div class="page">
          <Failure error={failure}>
            <button type="button" onClick={dismiss}>
              Dismiss
            </button>
          </Failure>
        </div>
      )}
      {opened ? (
        <Viewer key={opened.meter} opened={opened} route={route} />
      ) : (
        <main id="main" tabIndex={-1} />
      )}
      {opened ? <Status opened={opened} /> : null}
    </>
  )
}

function Viewer({ opened, route }: { opened: Opened; route: ReturnType<typeof useRoute>[0] }) {
  const { shown, busy } = usePage(opened, route)
  const main = useRef<HTMLElement>(null)
  const rev = useRef('HEAD')
  if (route.type === 'path') rev.current = route.rev
  const first = useRef(true)
  useEffect(() => {
    if (!shown) return
    document.title = `${shown.title} · ${opened.name}`
    if (!first.current) moveToTop(main.current)
    first.current = false
  }, [shown])
  return (
    <main id="main" ref={main} tabIndex={-1} class={busy ? 'page busy' : 'page'} aria-busy={busy}>
      <RefPicker opened={opened} rev={rev.current} />
      <PageView opened={opened} shown={shown} />
    </main>
  )
}

/** The link that was followed is gone: whoever uses keys goes on in what it led to. */
function moveToTop(main: HTMLElement | null): void {
  scrollTo(0, 0)
  const { activeElement } = document
  if (activeElement === document.body || activeElement === null)
    main?.focus({ preventScroll: true })
}

/** No link: its address would be taken for a place in the repository. */
function SkipButton() {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
      Skip to the content
    </button>
  )
}

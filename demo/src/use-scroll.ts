import { useEffect, useRef } from 'preact/hooks'

/** The name under which positions are stored for a reload, and how many of them. */
const KEY = 'scroll'
const MOST = 100

/** How far the page of each entry of the browser's history was scrolled when it was left, by the entry's id. */
const positions = stored()

/** The time for which a page that grows is scrolled on, in milliseconds. */
const GROWS_FOR = 5000

/**
 * Returns a function that takes what was just shown to where the user left it, if the browser's history led
 * back to it. It returns whether it did. The browser itself scrolls before the content is there.
 */
export function useScroll(): () => boolean {
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    history.scrollRestoration = 'manual'
    let current = idOf(history.state)
    wanted.current = positions.get(current) ?? null
    addEventListener(
      'popstate',
      ({ state }) => {
        // The content is still that of the entry before.
        positions.set(current, scrollY)
        current = idOf(state)
        wanted.current = positions.get(current) ?? null
      },
      { signal },
    )
    const left = () => {
      positions.set(current, scrollY)
      store([...positions].slice(-MOST))
    }
    addEventListener('pagehide', left, { signal })
    return () => listeners.abort()
  }, [])
  return () => {
    const y = wanted.current
    wanted.current = null
    if (y !== null) scrollOn(y)
    return y !== null
  }
}

/** Returns the id of the current entry; one that is new gets one. */
function idOf(state: unknown): number {
  const known = state as { readonly id?: number } | null
  if (known?.id !== undefined) return known.id
  const id = Date.now() + Math.random()
  history.replaceState({ ...known, id }, '')
  return id
}

/** The browser may refuse to store anything: then nothing is known after a reload. */
function stored(): Map<number, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'))
  } catch {
    return new Map()
  }
}

function store(all: readonly (readonly [number, number])[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(all))
  } catch {}
}

/** Scrolls as far as the page was; of a list that is read again, as its rows arrive. */
function scrollOn(y: number): void {
  const stop = new AbortController()
  const { signal } = stop
  const end = () => stop.abort()
  const observer = new ResizeObserver(() => {
    scrollTo(0, y)
    if (Math.abs(scrollY - y) < 1) end()
  })
  signal.addEventListener('abort', () => observer.disconnect())
  for (const name of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate']) {
    addEventListener(name, end, { signal })
  }
  setTimeout(end, GROWS_FOR)
  // Called at once, and each time that the page has grown.
  observer.observe(document.body)
}

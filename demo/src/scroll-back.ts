/** Shows a page where the user left it. The browser itself scrolls before the content is there. */

/** The name under which positions are stored for a reload. */
const KEY = 'scroll'
/** The time for which a page that grows is scrolled on, in milliseconds. */
const GROWS_FOR = 5000

/** How far the page of each entry of the browser's history was scrolled when it was left, by the entry's id. */
const positions = stored()

history.scrollRestoration = 'manual'
let current = idOf(history.state)
let wanted = positions.get(current)

addEventListener('popstate', ({ state }) => {
  // The content is still that of the entry before.
  positions.set(current, scrollY)
  current = idOf(state)
  wanted = positions.get(current)
})

addEventListener('pagehide', () => {
  positions.set(current, scrollY)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...positions]))
  } catch {
    // The browser stores nothing for this page: a reload shows its top.
  }
})

/** Takes what was just shown to where the user left it; returns whether the browser's history led back to it. */
export function scrollBack(): boolean {
  const y = wanted
  wanted = undefined
  if (y === undefined) return false
  // Called at once, and each time that the page has grown, as a list does that is read again.
  const observer = new ResizeObserver(() => {
    scrollTo(0, y)
    if (scrollY > y - 1) end()
  })
  const end = () => observer.disconnect()
  for (const name of ['wheel', 'pointerdown', 'keydown', 'popstate']) {
    addEventListener(name, end, { once: true })
  }
  setTimeout(end, GROWS_FOR)
  observer.observe(document.body)
  return true
}

/** Returns the id of the current entry; one that is new gets one. */
function idOf(state: { readonly id?: number } | null): number {
  const id = state?.id ?? Date.now() + Math.random()
  history.replaceState({ id }, '')
  return id
}

function stored(): Map<number, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'))
  } catch {
    return new Map()
  }
}

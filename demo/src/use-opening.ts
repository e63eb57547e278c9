import { useRef, useState } from 'preact/hooks'
import type { Candidate, Opened, OpeningProgress } from './repository/opened'
import { openCandidate } from './repository/opened'
import { showAddress } from './repository/page-address'
import { remember } from './repository/recent'

/** Returns what to open; `null` if the user cancelled. */
export type Choice = () => Promise<Candidate | null>
export type Start = (choice: Choice, options?: { keepRoute?: boolean }) => void

export interface Opening {
  readonly name: string
  readonly progress: OpeningProgress | null
  readonly cancel: () => void
}

/** A search that continues after the repository was opened. */
export interface Search {
  readonly progress: OpeningProgress
  readonly stop: () => void
}

/** Manages the open repository. It stays open until the next one has been opened. */
export function useOpening(onOpened: () => void) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [opening, setOpening] = useState<Opening | null>(null)
  const [search, setSearch] = useState<Search | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const current = useRef<{ opened: Opened | null; running: AbortController | null }>({
    opened: null,
    running: null,
  })
  const starts = useRef({ all: 0, newest: 0 })

  const start: Start = (choice, { keepRoute = false } = {}) => {
    void run(choice, keepRoute)
  }

  const run = async (choice: Choice, keepRoute: boolean) => {
    const turn = ++starts.current.all
    const controller = new AbortController()
    const { signal } = controller
    const cancel = () => {
      controller.abort()
      if (current.current.running === controller) setOpening(null)
    }
    try {
      const candidate = await choice()
      // The repository of the page may arrive after the user has chosen another one.
      if (!candidate || turn < starts.current.newest) return
      starts.current.newest = turn
      current.current.running?.abort()
      current.current.running = controller
      setFailure(null)
      const about = { name: candidate.name, cancel }
      setOpening({ ...about, progress: null })
      const onProgress = (progress: OpeningProgress) => {
        if (!signal.aborted) setOpening({ ...about, progress })
      }
      const next = await openCandidate(candidate, { onProgress, signal })
      current.current.opened?.repo.close()
      current.current.opened = next
      showAddress(await remember(candidate).catch(() => null))
      setOpened(next)
      setSearch(null)
      void findMore(next)
      if (!keepRoute) onOpened()
    } catch (error) {
      if (!signal.aborted) setFailure(error)
    } finally {
      if (!signal.aborted) setOpening(null)
    }
  }

  /** Searches a pack for more tips while the page shows its newest commits. */
  const findMore = async (first: Opened) => {
    if (!first.findMore) return
    const controller = new AbortController()
    const { signal } = controller
    const stop = () => {
      controller.abort()
      setSearch(null)
    }
    const onProgress = (progress: OpeningProgress) => {
      if (!signal.aborted && current.current.opened === first) setSearch({ progress, stop })
    }
    // Opening another repository meanwhile closes this one.
    const all = await first.findMore({ signal, onProgress }).catch(() => null)
    if (current.current.opened !== first) return
    setSearch(null)
    if (!all) return
    current.current.opened = all
    setOpened(all)
  }

  return { opened, opening, search, failure, start, dismiss: () => setFailure(null) }
}

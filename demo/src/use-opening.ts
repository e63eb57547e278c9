import { useRef, useState } from 'preact/hooks'
import type { Candidate, Opened, OpeningProgress } from './repository/opened'
import { openCandidate } from './repository/opened'

/** Finds out what to open; `null` if the user changed their mind. */
export type Choice = () => Promise<Candidate | null>
export type Start = (choice: Choice, options?: { keepRoute?: boolean }) => void

export interface Opening {
  readonly name: string
  readonly progress: OpeningProgress | null
  readonly cancel: () => void
}

/** What is still looked for in a repository that is open. */
export interface Search {
  readonly progress: OpeningProgress
  readonly stop: () => void
}

/** The repository that is open, and the way to another. What is open stays so until that is read. */
export function useOpening(onOpened: () => void) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [opening, setOpening] = useState<Opening | null>(null)
  const [search, setSearch] = useState<Search | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const current = useRef<{ opened: Opened | null; running: AbortController | null }>({
    opened: null,
    running: null,
  })

  const start: Start = (choice, { keepRoute = false } = {}) => {
    void run(choice, keepRoute)
  }

  const run = async (choice: Choice, keepRoute: boolean) => {
    const controller = new AbortController()
    const { signal } = controller
    const cancel = () => {
      controller.abort()
      if (current.current.running === controller) setOpening(null)
    }
    try {
      const candidate = await choice()
      if (!candidate) return
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

  /** A pack shows its newest commits while older ones without a child are looked for. */
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
    // Another repository may be opened meanwhile, which closes this one.
    const all = await first.findMore({ signal, onProgress }).catch(() => null)
    if (current.current.opened !== first) return
    setSearch(null)
    if (!all) return
    current.current.opened = all
    setOpened(all)
  }

  return { opened, opening, search, failure, start, dismiss: () => setFailure(null) }
}

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

/** The repository that is open, and the way to another. What is open stays so until that is read. */
export function useOpening(onOpened: () => void) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [opening, setOpening] = useState<Opening | null>(null)
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
      if (!keepRoute) onOpened()
    } catch (error) {
      if (!signal.aborted) setFailure(error)
    } finally {
      if (!signal.aborted) setOpening(null)
    }
  }

  return { opened, opening, failure, start, dismiss: () => setFailure(null) }
}

import { useEffect, useState } from 'preact/hooks'
import type { Action, Meter } from './meter'
import { failureOf } from './reading/advice'

/** A list that is read a portion at a time. */
export interface Portions {
  readonly done: boolean
  more(onFound: () => void): Promise<void>
  close(): void
}

export interface Listing<L> {
  readonly list: L | null
  readonly loading: boolean
  readonly failure: string
  /** Differs each time that the list has grown. */
  readonly version: number
  readonly more: () => void
}

/** Milliseconds between two updates of the page. */
const BETWEEN = 200

/** Reads a list, the first portion at once; begins again if `key` changes. */
export function useList<L extends Portions>(
  meter: Meter,
  action: Action,
  key: string,
  begin: () => L | null,
): Listing<L> {
  const [list, setList] = useState<L | null>(null)
  const [version, setVersion] = useState(0)
  const [loading, setLoading] = useState(false)
  const [failure, setFailure] = useState('')
  const more = async (list: L, isWanted: () => boolean) => {
    setLoading(true)
    let drawn = performance.now()
    const onFound = () => {
      if (!isWanted() || performance.now() - drawn < BETWEEN) return
      drawn = performance.now()
      setVersion((before) => before + 1)
    }
    try {
      await meter.beside(action, () => list.more(onFound))
    } catch (error) {
      if (isWanted()) setFailure(failureOf(error))
    }
    if (!isWanted()) return
    setLoading(false)
    setVersion((before) => before + 1)
  }
  useEffect(() => {
    const next = begin()
    let isCurrent = true
    setList(next)
    setFailure('')
    if (next) void more(next, () => isCurrent)
    return () => {
      isCurrent = false
      next?.close()
    }
  }, [meter, key])
  return { list, loading, failure, version, more: () => void (list && more(list, () => true)) }
}

import { useEffect, useState } from 'preact/hooks'
import type { Opened } from '../repository/opened'
import { formatSize } from '../text/format'
import { first } from '../words/first'

/** Milliseconds between two looks at what a server has sent. */
const BETWEEN = 200
/** Milliseconds after which an action is a long one. */
const LONG = 1000

interface Props {
  readonly opened: Opened
  /** The bytes of the repository, once they are known. */
  readonly size?: number | undefined
}

/** Shows what a server has sent; of other sources nothing. */
export function Received({ opened: { meter }, size }: Props) {
  const [, look] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => look((times) => times + 1), BETWEEN)
    return () => clearInterval(timer)
  }, [])
  const { requests = 0, receivedBytes = 0 } = meter.stats() ?? {}
  if (requests === 0) return null
  // What was evicted is received again: then there is no share.
  return size !== undefined && receivedBytes <= size
    ? first.receivedOf(requests, formatSize(receivedBytes), formatSize(size))
    : first.received(requests, formatSize(receivedBytes))
}

/** Shows the action that has been running for a while, and what its server has sent. */
export function LongAction({ opened, size }: Props) {
  const [isLong, setLong] = useState(false)
  const { running } = opened.meter
  useEffect(() => {
    if (running === null) return setLong(false)
    const timer = setTimeout(() => setLong(true), LONG)
    return () => clearTimeout(timer)
  }, [running === null])
  if (!isLong || running === null) return null
  return (
    <p class="running">
      <b>{running}…</b> <Received opened={opened} size={size} />
    </p>
  )
}

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readSizes } from './reading/page'
import type { Opened } from './repository/opened'
import { first } from './words/first'

/**
 * Reads the sizes of the files whose rows are visible, by id. A folder of 500 files in a large pack
 * would take megabytes to look all of them up.
 *
 * Rows have the id of their file as `data-blob`; `shown` changes when there are others.
 */
export function useSizes(
  { repo, meter }: Opened,
  table: RefObject<HTMLElement | null>,
  shown: unknown,
): ReadonlyMap<string, number> {
  const [sizes, setSizes] = useState<ReadonlyMap<string, number>>(new Map())
  useEffect(() => {
    let isCurrent = true
    const read = async (oids: readonly string[]) => {
      const found = await meter.run(
        () => first.actions.sizes,
        () => readSizes(repo, oids),
      )
      if (isCurrent) setSizes((known) => new Map([...known, ...found]))
    }
    const observer = new IntersectionObserver((entries) => {
      const rows = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target)
      for (const row of rows) observer.unobserve(row)
      const oids = rows.map((row) => row.getAttribute('data-blob') ?? '')
      // An unreadable file has no size; opening the file reports the reason.
      if (oids.length > 0) read(oids).catch(() => {})
    })
    for (const row of table.current?.querySelectorAll('[data-blob]') ?? []) observer.observe(row)
    return () => {
      isCurrent = false
      observer.disconnect()
    }
  }, [repo, shown])
  return sizes
}

import type { PageOptions } from './types.ts'

/** Returns the rows of a page. The list ends there, and with it the search for more. */
export async function pageOf<Row>(
  list: AsyncGenerator<Row, undefined>,
  { page, pageSize }: PageOptions,
): Promise<{ rows: Row[]; isLast: boolean }> {
  if (![page, pageSize].every((count) => Number.isSafeInteger(count) && count > 0)) {
    throw new RangeError(`page and pageSize must be whole numbers from 1: ${page}, ${pageSize}`)
  }
  const first = (page - 1) * pageSize
  const rows: Row[] = []
  let at = 0
  for await (const row of list) {
    if (rows.length === pageSize) return { rows, isLast: false }
    if (at++ >= first) rows.push(row)
  }
  return { rows, isLast: true }
}

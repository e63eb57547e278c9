let last = 0

/** Returns a stamp that no file had before, because each opening may find another version. */
export function nextStamp(): number {
  return ++last
}

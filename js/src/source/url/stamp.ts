let last = 0

/** Returns a stamp that no file had before: each opening is a look at the server. */
export function nextStamp(): number {
  return ++last
}

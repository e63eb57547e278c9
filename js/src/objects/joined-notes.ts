/** Joins the notes about one object: some tools write one although a directory has another. */

const LINE_FEED = 0x0a

/**
 * Returns two notes with an empty line between them, as git does when it reads them; a copy or an empty
 * one adds nothing. The first is that in the deeper directory.
 */
export function joinedNotes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0 || isSame(first, second)) return first
  if (first.length === 0) return second
  const length = first.at(-1) === LINE_FEED ? first.length - 1 : first.length
  const joined = new Uint8Array(length + 2 + second.length)
  joined.set(first.subarray(0, length))
  joined.fill(LINE_FEED, length, length + 2)
  joined.set(second, length + 2)
  return joined
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

// Caches that store only keys and sizes. Each takes `capacity` bytes.

/** The bytes that an entry takes besides its content. */
const OVERHEAD = 24

/** Evicts the least recently used entry. */
export class LeastRecent {
  #sizes = new Map()
  #used = 0
  #capacity

  constructor(capacity) {
    this.#capacity = capacity
  }

  has(key) {
    return this.#sizes.has(key)
  }

  get(key) {
    const size = this.#sizes.get(key)
    if (size === undefined) return false
    this.#sizes.delete(key)
    this.#sizes.set(key, size)
    return true
  }

  put(key, bytes) {
    const size = bytes + OVERHEAD
    if (size > this.#capacity) return
    while (this.#used + size > this.#capacity) {
      const [[oldest, freed]] = this.#sizes
      this.#sizes.delete(oldest)
      this.#used -= freed
    }
    this.#sizes.set(key, size)
    this.#used += size
  }
}

/** As crate/format/src/pack/base_cache.rs: segments of memory that are evicted whole. */
export class Segments {
  #places = new Map()
  #fills = []
  #first = 0
  #capacity
  #length

  constructor(capacity) {
    this.#capacity = capacity
    this.#length = Math.min(1 << 20, capacity / 16)
  }

  get(key) {
    const { segment, size } = this.#places.get(key) ?? { segment: -1 }
    if (segment < this.#first) return false
    const age = this.#first + this.#fills.length - 1 - segment
    if (age > 0.7 * this.#fills.length && this.#fits(size)) this.#note(key, size)
    return true
  }

  put(key, size) {
    if (size > this.#length) return
    if (!this.#fits(size)) {
      if ((this.#fills.length + 1) * this.#length > this.#capacity) {
        this.#fills.shift()
        this.#first += 1
      }
      this.#fills.push(0)
    }
    this.#note(key, size)
  }

  #fits(size) {
    return this.#fills.length > 0 && this.#fills.at(-1) + size <= this.#length
  }

  #note(key, size) {
    this.#fills[this.#fills.length - 1] += size
    this.#places.set(key, { segment: this.#first + this.#fills.length - 1, size })
  }
}

/** Returns the cost of making an entry again, in bytes: its own, and a stream's start. */
const costOf = ({ disk }) => disk + 200

/** Greedy-dual-size-frequency: evicts the entry with the least cost for its size. */
export class Greedy {
  #states = new Map()
  #queue = []
  #used = 0
  #floor = 0
  #capacity

  constructor(capacity) {
    this.#capacity = capacity
  }

  get(key) {
    const state = this.#states.get(key)
    if (!state) return false
    state.uses += 1
    this.#rank(state)
    return true
  }

  put(key, bytes) {
    const size = bytes + OVERHEAD
    if (size > this.#capacity / 4) return
    while (this.#used + size > this.#capacity) this.#dropLeast()
    const state = { key, size, uses: 1, turn: 0 }
    this.#states.set(key, state)
    this.#used += size
    this.#rank(state)
  }

  #rank(state) {
    state.turn += 1
    const rank = this.#floor + (state.uses * costOf(state.key)) / state.size
    insert(this.#queue, { rank, state, turn: state.turn })
  }

  #dropLeast() {
    const { rank, state, turn } = takeLeast(this.#queue)
    // The entry was ranked again meanwhile.
    if (turn !== state.turn || !this.#states.has(state.key)) return
    this.#floor = rank
    this.#states.delete(state.key)
    this.#used -= state.size
  }
}

function insert(heap, item) {
  let at = heap.push(item) - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    if (heap[above].rank <= item.rank) break
    heap[at] = heap[above]
    at = above
  }
  heap[at] = item
}

function takeLeast(heap) {
  const least = heap[0]
  const item = heap.pop()
  if (heap.length === 0) return least
  let at = 0
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (heap[below + 1]?.rank < heap[below].rank) below += 1
    if (item.rank <= heap[below].rank) break
    heap[at] = heap[below]
    at = below
  }
  heap[at] = item
  return least
}

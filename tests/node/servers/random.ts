/** Pseudo-random numbers, the same for the same seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0
  }

  /** Returns a whole number from 0 to below `end`: xorshift, with its state spread out. */
  below(end: number): number {
    let x = (this.#state + 0x6d2b79f5) >>> 0
    this.#state = x
    x = Math.imul(x ^ (x >>> 15), x | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) % end
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
}

/**
 * Schedules questions. Questions that are answered at the same time share one memory: if it
 * is small, they evict each other's bytes, and none makes progress. A question that has waited
 * too often for the same bytes continues alone.
 */
import type { Waiting } from './waiting.js'

export class Turns {
  #alone: object | undefined
  #over: Promise<void> | undefined
  #end: (() => void) | undefined

  /** Waits while another question runs alone; with `alone`, this question runs alone next. */
  async wait(
    question: object,
    alone: boolean,
    waiting: Waiting,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    while (this.#over && this.#alone !== question) await waiting.until(this.#over, signal)
    if (!alone || this.#alone === question) return
    this.#alone = question
    this.#over = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  /** Lets other questions continue, because this one was answered or failed. */
  over(question: object): void {
    if (this.#alone !== question) return
    this.#end?.()
    this.#alone = this.#over = this.#end = undefined
  }
}

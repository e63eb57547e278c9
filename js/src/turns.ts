/**
 * Who goes on next. Questions that are answered at the same time share one
 * memory: with little of it they push each other's bytes out, and none gets on.
 * One that has waited too often for the same bytes goes on alone.
 */
import type { Waiting } from './waiting.js'

export class Turns {
  #alone: object | undefined
  #over: Promise<void> | undefined
  #end: (() => void) | undefined

  /** Waits while another question goes on alone; `alone` asks to do so next. */
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

  /** The question was answered, or failed. */
  over(question: object): void {
    if (this.#alone !== question) return
    this.#end?.()
    this.#alone = this.#over = this.#end = undefined
  }
}

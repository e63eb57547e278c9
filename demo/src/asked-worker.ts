/** Asks a worker for answers about texts of a repository, for which it may take too long. */

/** An answer that takes longer, in milliseconds, is given up. */
const LONGEST = 10_000

interface Message<Content> {
  readonly id: number
  readonly content: Content
}

export class AskedWorker<Question, Answer> {
  readonly #start: () => Worker
  readonly #waiting = new Map<number, (answer: Answer | null) => void>()
  #worker: Worker | null = null
  #lastId = 0

  /** `start` is called for the first question, and for the next one after an answer was given up. */
  constructor(start: () => Worker) {
    this.#start = start
  }

  /** Returns `null` if the worker takes too long, or cannot be loaded. */
  ask(content: Question): Promise<Answer | null> {
    const question: Message<Question> = { id: ++this.#lastId, content }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#stop(), LONGEST)
      this.#waiting.set(question.id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      this.#worker ??= this.#begin()
      this.#worker.postMessage(question)
    })
  }

  #begin(): Worker {
    const worker = this.#start()
    worker.addEventListener('message', ({ data }: MessageEvent<Message<Answer | null>>) => {
      this.#waiting.get(data.id)?.(data.content)
      this.#waiting.delete(data.id)
    })
    worker.addEventListener('error', () => this.#stop())
    return worker
  }

  #stop(): void {
    this.#worker?.terminate()
    this.#worker = null
    for (const answer of this.#waiting.values()) answer(null)
    this.#waiting.clear()
  }
}

/** Answers the questions that this worker is asked; with `null` those that fail. */
export function answerAll<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  addEventListener(
    'message',
    async ({ data: { id, content } }: MessageEvent<Message<Question>>) => {
      const found: Message<Answer | null> = { id, content: await answer(content).catch(() => null) }
      postMessage(found)
    },
  )
}

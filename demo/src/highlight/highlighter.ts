/** Asks the worker for the tokens of texts. */
import type { Answer, Request, Tokens } from './tokens'

/** Longer texts have no colors: they would take seconds. */
const MOST_COLORED = 1 << 20
/** A grammar that takes longer, in milliseconds, is stopped. */
const LONGEST = 10_000

let worker: Worker | null = null
let lastId = 0
const waiting = new Map<number, (tokens: Tokens) => void>()

/** Returns the tokens of a text; none if that takes too long. */
export function tokensOf(language: string, text: string): Promise<Tokens> {
  if (text.length > MOST_COLORED) return Promise.resolve(new Uint32Array())
  const request: Request = { id: ++lastId, language, text }
  return new Promise((resolve) => {
    const timer = setTimeout(stop, LONGEST)
    waiting.set(request.id, (tokens) => {
      clearTimeout(timer)
      resolve(tokens)
    })
    worker ??= start()
    worker.postMessage(request)
  })
}

function start(): Worker {
  const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data.tokens)
    waiting.delete(data.id)
  })
  // Without colors the text is as readable as before.
  started.addEventListener('error', stop)
  return started
}

/** Ends the worker, and answers what waits for it with no tokens. */
function stop(): void {
  worker?.terminate()
  worker = null
  for (const answer of waiting.values()) answer(new Uint32Array())
  waiting.clear()
}

/** Asks the worker for the tokens of texts. */
import { AskedWorker } from '../asked-worker'
import type { Question, Tokens } from './tokens'

/** Longer texts have no colors: they would take seconds. */
const MOST_COLORED = 1 << 20

const worker = new AskedWorker<Question, Tokens>(
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
)

/** Returns the tokens of a text; none if that takes too long. Without colors it is as readable. */
export async function tokensOf(language: string, text: string): Promise<Tokens> {
  const tokens = text.length > MOST_COLORED ? null : await worker.ask({ language, text })
  return tokens ?? new Uint32Array()
}

/**
 * Describes why a file of the package did not load. Most of these errors end a user's first try,
 * because a bundler moved the file. So each names the URL, the response, and what to change.
 */
import { PacklensError } from '../base/errors.js'

const REMEDY =
  "for the dev server of Vite 5 to 7 set optimizeDeps: { exclude: ['packlens'] }; for esbuild, " +
  'Rollup and Rolldown copy wasm/ and packlens-worker.js of node_modules/packlens/dist beside ' +
  'the bundle; or say where they are: await load({ reader: url, wasm: url, rest: url, worker: url })'

/** What became of a module that the page's policy may forbid. */
export const NOT_COMPILED =
  "does not compile, for which a Content-Security-Policy needs script-src 'wasm-unsafe-eval'"

const SHOWN = 40

/** Returns the message of an error about the file at `url`, with what to do about it. */
export function unloaded(url: string, what: string): string {
  return `${url || 'the Response'} ${what}: ${REMEDY}`
}

/** Describes a response: its status, its type, and how its content begins. */
export function described({ status, headers }: Response, content: Uint8Array): string {
  const type = headers.get('content-type') ?? 'without a content type'
  const begins = new TextDecoder('latin1').decode(content.subarray(0, SHOWN))
  return `answered ${status}, ${type}, beginning with ${JSON.stringify(begins)}`
}

/** Fetches the script of a worker that did not start, and returns an error that describes it. */
export async function scriptFailure(url: string, cause: unknown): Promise<PacklensError> {
  try {
    const response = await fetch(url)
    const content = new Uint8Array(await response.arrayBuffer())
    const what = `is not a worker script that starts here, it ${described(response, content)}`
    const { status } = response
    return new PacklensError('NETWORK', unloaded(url, what), { status, cause })
  } catch (cause) {
    return new PacklensError('NETWORK', unloaded(url, 'could not be fetched'), { cause })
  }
}

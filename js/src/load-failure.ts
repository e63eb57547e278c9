/**
 * Why a file of the package did not load. That is a user's first try, and a bundler has
 * moved the file: each error says what was fetched, what came, and what to change.
 */
import { PacklensError } from './errors.js'

const REMEDY =
  "for the dev server of Vite 5 to 7 set optimizeDeps: { exclude: ['packlens'] }; for esbuild, " +
  'Rollup and Rolldown copy wasm/ and packlens-worker.js of node_modules/packlens/dist beside ' +
  'the bundle; or say where they are: await load({ reader: url, wasm: url, worker: url })'

const SHOWN = 40

/** The message of an error about what is at `url`. */
export function unloaded(url: string, what: string): string {
  return `${url || 'the Response'} ${what}: ${REMEDY}`
}

/** Says what a server answered, and how its content begins. */
export function described({ status, headers }: Response, content: Uint8Array): string {
  const type = headers.get('content-type') ?? 'without a content type'
  const begins = new TextDecoder('latin1').decode(content.subarray(0, SHOWN))
  return `answered ${status}, ${type}, beginning with ${JSON.stringify(begins)}`
}

/** Finds out why the script of a worker does not start. */
export async function scriptFailure(url: string, cause: unknown): Promise<PacklensError> {
  try {
    const response = await fetch(url)
    const content = new Uint8Array(await response.arrayBuffer())
    const what = `is no script of a worker that can start here, it ${described(response, content)}`
    const { status } = response
    return new PacklensError('NETWORK', unloaded(url, what), { status, cause })
  } catch (cause) {
    return new PacklensError('NETWORK', unloaded(url, 'could not be fetched'), { cause })
  }
}

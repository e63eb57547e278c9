/**
 * Loads the files of the package that few calls need. In scripts of one file, as for Node,
 * `eager.ts` takes the place of this module.
 */
import { fullNotLoaded, PacklensError } from './errors.js'
import type { MaybePromise } from './maybe.js'

type Full = typeof import('../chunks/full.js')

let fullFile: Full | undefined

/** Loads the stores of folders. */
export const folders = () => lazy('folders', () => import('../chunks/folders.js'))

/** Loads the stores of repositories on servers. */
export const servers = () => lazy('servers', () => import('../chunks/servers.js'))

/** Loads the code of calls that only the full module answers; returns it if it is loaded. */
export function full(): MaybePromise<Full> {
  return fullFile ?? loadFull()
}

/** Loads the code that opens bundles, which only the full module reads. */
export const bundles: () => MaybePromise<Pick<Full, 'bundleStore' | 'checkPrerequisites'>> = full

/** Loads the code that adds the rest of the full module. */
export const restLoader: () => MaybePromise<Pick<Full, 'wholeBeside'>> = full

/**
 * Returns the code of calls that only the full module answers.
 *
 * @throws `BAD_INPUT` if it is not loaded; it continues to load, for later calls
 */
export function loadedFull(): Full {
  if (fullFile) return fullFile
  loadFull().catch(() => {})
  throw fullNotLoaded()
}

async function loadFull(): Promise<Full> {
  const file = await lazy('full', () => import('../chunks/full.js'))
  file.addFullQuestions()
  fullFile = file
  return file
}

/**
 * Returns what `importing` imports from the file `packlens-<name>.js` of the package.
 *
 * @throws `NETWORK` if the file cannot be loaded
 */
export async function lazy<T>(name: string, importing: () => Promise<T>): Promise<T> {
  try {
    return await importing()
  } catch (cause) {
    const what = 'could not be loaded: serve all files of node_modules/packlens/dist together'
    throw new PacklensError('NETWORK', what, { subject: `packlens-${name}.js`, cause })
  }
}

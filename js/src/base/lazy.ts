/**
 * Loads the files of the package that few calls need. In scripts of one file, as for Node,
 * `eager.ts` takes the place of this module.
 */
import { PacklensError } from './errors.js'

/** Loads the stores of folders. */
export const folders = () => lazy('folders', () => import('../chunks/folders.js'))

/** Loads the stores of repositories on servers. */
export const servers = () => lazy('servers', () => import('../chunks/servers.js'))

/** Loads comparisons of commits. */
export const changes = () => lazy('changes', () => import('../chunks/changes.js'))

/** Loads checks, indexes and plans. */
export const upkeep = () => lazy('upkeep', () => import('../chunks/upkeep.js'))

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

/**
 * Directories that are no repositories to git, because they have no `HEAD` or no `objects`.
 * isomorphic-git reads what is there, and some of its users keep only refs or only objects.
 */
import type { PromisingClient } from './client.js'
import { promising } from './client.js'
import type { Place } from './parameters.js'

/** No ref can have this name: `HEAD` resolves to nothing. */
const NO_HEAD = new TextEncoder().encode('ref: refs/heads/.invalid\n')

const file = { size: NO_HEAD.length, isFile: () => true, isDirectory: () => false }
const directory = { size: 0, isFile: () => false, isDirectory: () => true }

/**
 * Returns the place of a directory with a client for which it has both; `null` if there is no
 * directory. The client reads files whole.
 */
export async function completed({ fs, gitdir, dir }: Place): Promise<Place | null> {
  const client = promising(fs)
  const root = (await directoryOf(client, gitdir)).replace(/(?<=.)\/+$/, '')
  const stat = await client.stat(root).catch(() => null)
  if (!stat?.isDirectory()) return null
  const or = <T>(asked: Promise<T>, path: string, answers: Record<string, unknown>): Promise<T> =>
    asked.catch((error) => {
      const answer = answers[path.slice(root.length + 1)]
      if (!path.startsWith(`${root}/`) || answer === undefined) throw error
      return answer as T
    })
  const { lstat, readlink } = client
  const promises = {
    ...{ lstat, readlink },
    stat: (path: string) => or(client.stat(path), path, { HEAD: file, objects: directory }),
    readFile: (path: string, options: unknown) =>
      or(client.readFile(path, options), path, { HEAD: NO_HEAD }),
    readdir: (path: string, options?: unknown) =>
      or(client.readdir(path, options), path, { objects: [] }),
  }
  return { fs: { promises }, gitdir: root, ...(dir !== undefined && { dir }) }
}

/** Returns the directory that a `.git` file names. */
async function directoryOf(client: PromisingClient, gitdir: string): Promise<string> {
  const content = await client.readFile(gitdir, 'utf8').catch(() => '')
  const target = typeof content === 'string' ? /^gitdir: (.*)/.exec(content)?.[1] : undefined
  if (target === undefined) return gitdir
  return /^(\/|[A-Za-z]:[\\/])/.test(target) ? target : gitdir.replace(/[^/]*\/*$/, '') + target
}

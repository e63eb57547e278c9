/** Returns `path` relative to the folder `from`, which ends with a slash. */
export function relativePath(path: string, from: string): string {
  if (path === '') return './'
  const folders = from.split('/').slice(0, -1)
  const parts = path.split('/')
  let same = 0
  while (same < folders.length && same < parts.length && folders[same] === parts[same]) same++
  const up = '../'.repeat(folders.length - same)
  const down = parts.slice(same).join('/')
  return up + down || './'
}

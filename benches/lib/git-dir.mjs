// The repository of a bench that is a script of its own.
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Returns the path of the git directory that was given; ends the process without one. */
export function gitDirOf(values, command) {
  const given = values['git-dir']
  if (given && existsSync(path.join(given, 'objects'))) return path.resolve(given)
  console.error(`usage: npm run ${command} -- --git-dir DIR`)
  process.exit(2)
}

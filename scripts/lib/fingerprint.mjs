// Returns a fingerprint of a set of files: their names, sizes and times of writing.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { targetDir } from './paths.mjs'

/** Missing files count too: making or removing one changes the fingerprint. */
export function fingerprint(files) {
  const hash = createHash('sha256')
  for (const file of [...files].sort()) {
    const stat = existsSync(file) ? statSync(file) : null
    hash.update(`${file} ${stat?.size} ${stat?.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

export function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** Returns the values that the last successful run of a job stored, or an empty object. */
export function recall(job) {
  try {
    return JSON.parse(readFileSync(stampFile(job), 'utf8'))
  } catch {
    return {}
  }
}

export function remember(job, facts) {
  mkdirSync(path.dirname(stampFile(job)), { recursive: true })
  writeFileSync(stampFile(job), `${JSON.stringify(facts)}\n`)
}

function stampFile(job) {
  return path.join(targetDir, 'stamps', `${job}.json`)
}

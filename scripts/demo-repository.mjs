// Writes the repository that the demo opens first to demo/public/repository/: the
// project's own history packed with git, or a bundled one if there is no history.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint, recall, remember } from './lib/fingerprint.mjs'
import { git, ownRepository } from './lib/git.mjs'
import { inRoot } from './lib/paths.mjs'
import { note } from './lib/report.mjs'

const folder = inRoot('demo', 'public', 'repository')
const scratch = path.join(folder, 'scratch')
const outputs = ['history.pack', 'history.idx', 'refs.json'].map((name) => path.join(folder, name))

/** A fixture of the tests, which is small and part of the sources. */
const bundled = inRoot('tests', 'fixtures', 'archives', 'main.tar')

/** Does nothing if the repository is up to date. Returns which repository it is. */
export async function makeDemoRepository() {
  const own = ownRepository()
  const state = hashOf([own, fingerprint([bundled, fileURLToPath(import.meta.url)])])
  const last = recall('demo-repository')
  if (last.state !== state || last.outputs !== fingerprint(outputs)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(scratch, { recursive: true })
    if (own.refs) packHistory(own)
    else await unpackBundled()
    rmSync(scratch, { recursive: true })
    remember('demo-repository', { state, outputs: fingerprint(outputs) })
  }
  return own.refs
    ? "the project's own history, packed with git"
    : `the bundled repository: ${own.reason}`
}

function packHistory({ head, refs, objectFormat }) {
  git(['pack-objects', '--quiet', '--revs', '--all', path.join(scratch, 'history')])
  put(scratch, {
    name: 'packlens',
    about: 'history',
    objectFormat,
    refs: { HEAD: head, ...refs },
  })
}

async function unpackBundled() {
  const { extract } = await import('tar')
  extract({ file: bundled, cwd: scratch, sync: true, strip: 1 })
  const refs = { HEAD: readFileSync(path.join(scratch, 'HEAD'), 'utf8').trim() }
  for (const line of readFileSync(path.join(scratch, 'packed-refs'), 'utf8').split('\n')) {
    const [, oid, name] = /^([0-9a-f]+) (refs\/.*)$/.exec(line) ?? []
    if (name) refs[name] = oid
  }
  put(path.join(scratch, 'objects', 'pack'), {
    name: 'packed things',
    about: 'sample',
    objectFormat: 'sha1',
    refs,
  })
}

/** Moves the one pack in `from`, its index and the facts about it to the demo's folder. */
function put(from, facts) {
  const packs = readdirSync(from).filter((name) => name.endsWith('.pack'))
  if (packs.length !== 1) throw new Error(`expected one pack, found ${packs.length}`)
  writeFileSync(path.join(from, 'refs.json'), `${JSON.stringify(facts, null, 1)}\n`)
  const names = [packs[0], packs[0].replace(/pack$/, 'idx'), 'refs.json']
  names.forEach((name, at) => {
    renameSync(path.join(from, name), outputs[at])
    // git makes packs read-only, which some systems do not allow to delete.
    chmodSync(outputs[at], 0o644)
  })
}

function hashOf(value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  note(await makeDemoRepository())
}

/**
 * A work tree in the file system of a page, lightning-fs: `packlens/isomorphic-git` compares it as
 * isomorphic-git compares the same files on disk.
 */
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import peer from 'isomorphic-git'
import { afterAll, expect, test } from 'vitest'
import { gitIn, madeWorktree, write } from '../node/made-worktree.ts'
import { page, serve, useBrowser } from './page.ts'
import { makeProject } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-lightning-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lightning = fileURLToPath(
  import.meta.resolve('@isomorphic-git/lightning-fs/dist/lightning-fs.min.js'),
)

const MATRICES = [{}, { ignored: true }, { filepaths: ['b', 'new'] }, { ref: 'older' }]

const PATHS = ['a.txt', 'b/c.txt', 'b/d/e.txt', 'many/3', 'new/file', 'new/one.o', 'none', 'none.o']

const importMap = JSON.stringify({
  imports: { packlens: './node_modules/packlens/dist/packlens.js' },
})

const html = page.replace(
  '<script',
  `<script type="importmap">${importMap}</script><script src="lightning-fs.min.js"></script>$&`,
)

const script = `
import git from './node_modules/packlens/dist/packlens-isomorphic-git.js'
async function filled() {
  const fs = new LightningFS('status', { wipe: true })
  const made = new Set()
  for (const [path, text] of await (await fetch('files.json')).json()) {
    for (let at = 0; at >= 0; at = path.indexOf('/', at + 1)) {
      const above = '/repo/' + path.slice(0, at)
      if (!made.has(above)) await fs.promises.mkdir(above.replace(/(?<=.)\\/$/, ''))
      made.add(above)
    }
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    await fs.promises.writeFile('/repo/' + path, bytes)
  }
  return fs
}
async function answer() {
  const fs = await filled()
  const clients = [fs, { promises: fs.promises }]
  const answers = clients.map(async (fs) => {
    const at = { fs, dir: '/repo' }
    const matrices = ${JSON.stringify(MATRICES)}.map((options) => git.statusMatrix({ ...at, ...options }))
    const asked = ${JSON.stringify(PATHS)}.map((filepath) => ({ ...at, filepath }))
    const words = asked.map((one) => git.status(one))
    const ignored = asked.map((one) => git.isIgnored(one))
    return Promise.all([matrices, words, ignored].map((all) => Promise.all(all)))
  })
  return Promise.all(answers)
}
window.answer = answer().catch((error) => 'failed: ' + error.message)
`

function changed(): string {
  const place = madeWorktree(path.join(folder, 'made'))
  write(place, '.gitignore', '*.o\nbuild/\n')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'more')
  gitIn(place, 'branch', 'older', 'HEAD~1')
  write(place, 'a.txt', 'b.txt\n')
  write(place, 'b/c.txt', 'staged\n')
  write(place, 'added', 'x\n')
  gitIn(place, 'add', 'b/c.txt', 'added')
  write(place, 'b/c.txt', 'longer than what was staged\n')
  rmSync(path.join(place, 'b/d/e.txt'))
  gitIn(place, 'rm', '-q', '--cached', 'x/y/z.txt')
  for (const name of ['new/file', 'new/one.o', 'build/out']) write(place, name, '')
  return place
}

function filesOf(place: string): [name: string, base64: string][] {
  const all = readdirSync(place, { recursive: true, encoding: 'utf8', withFileTypes: true })
  return all.flatMap((entry) => {
    if (!entry.isFile()) return []
    const file = path.join(entry.parentPath, entry.name)
    return [[path.relative(place, file), readFileSync(file, 'base64')]]
  })
}

const open = useBrowser()

test('status, statusMatrix and isIgnored are those of isomorphic-git', async () => {
  const dir = changed()
  const files = {
    'index.html': html,
    'page.js': script,
    'files.json': JSON.stringify(filesOf(dir)),
    'lightning-fs.min.js': readFileSync(lightning, 'utf8'),
  }
  const matrices = MATRICES.map((options) => {
    return peer.statusMatrix({ fs, dir, refresh: false, ...options })
  })
  const expected = [
    // With `ignored` isomorphic-git lists the git directory, too.
    (await Promise.all(matrices)).map((all) => all.filter(([name]) => !name.startsWith('.git/'))),
    await Promise.all(PATHS.map((filepath) => peer.status({ fs, dir, filepath, refresh: false }))),
    await Promise.all(PATHS.map((filepath) => peer.isIgnored({ fs, dir, filepath }))),
  ]
  const site = await serve(makeProject('isomorphic-git-status', files))
  try {
    expect(await open(site.url)).toEqual([expected, expected])
  } finally {
    site.close()
  }
})

#!/usr/bin/env node
// Compares archives of random trees of a repository with git's: tar files byte by byte, zip files
// entry by entry.
//
//   npm run check:archive -- --git-dir DIR [--cases 50] [--seed 1] [--git git] [--unzip PROGRAM]
//
// `--unzip` names a program that tests every zip file with `-t`, such as unzip.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crc32, inflateRawSync } from 'node:zlib'
import { openSync } from 'packlens'
import { zipRows } from '../tests/fixtures/archived-trees.mjs'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    cases: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    unzip: { type: 'string' },
  },
})
const gitDir = values['git-dir']
if (!gitDir) throw new Error('usage: npm run check:archive -- --git-dir DIR')
const random = randomFrom(Number(values.seed))
const one = (list) => list[random(list.length)]

function run(program, args) {
  // The settings of users may name other attributes. Dates of zip files are in UTC here.
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    TZ: 'UTC',
  }
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 1 << 30, env })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}
const git = (...args) => run(values.git, ['--git-dir', gitDir, ...args])
const linesOf = (bytes) => bytes.toString('latin1').split('\n').slice(0, -1)

const commits = linesOf(git('rev-list', '--all', '--max-count=20000'))
const PREFIXES = ['', '', 'p/', 'project-1.0/', 'x', 'a/b/', `${'long/'.repeat(25)}`]

/** Returns a random question: a tree-ish, packlens' options and git's flags. */
function question() {
  const commit = one(commits)
  const paths = linesOf(git('ls-tree', '-r', '-t', '--name-only', commit))
  const folders = linesOf(git('ls-tree', '-r', '-d', '--name-only', commit))
  const plain = (path) => !path.includes('"') && !/[*?[\\:]/.test(path)
  const isSubtree = folders.length > 0 && random(5) === 0
  const spec = isSubtree ? `${commit}:${one(folders.filter(plain))}` : commit
  const chosen = !isSubtree && random(4) === 0 ? [one(paths), one(paths)].filter(plain) : []
  const prefix = one(PREFIXES)
  const mtime = isSubtree || random(5) === 0 ? 1e9 + random(1e8) : undefined
  const flags = [`--prefix=${prefix}`]
  if (mtime !== undefined) flags.push(`--mtime=@${mtime} +0000`)
  return { spec, options: { prefix, mtime, paths: chosen }, args: [...flags, spec, ...chosen] }
}

const scratch = mkdtempSync(join(tmpdir(), 'packlens-check-archive-'))

/** Returns the rows of a zip file, whose data is checked by their CRC. */
function checkedRows(bytes) {
  const { rows, comment } = zipRows(bytes)
  const facts = rows.map(({ data, ...row }) => {
    const content = data.method === 8 ? inflateRawSync(data.bytes) : data.bytes
    if (crc32(content) !== row.crc || content.length !== row.size) {
      throw new Error(`${row.name} has other content than its row says`)
    }
    return row
  })
  return JSON.stringify([facts, comment])
}

const repo = openSync(gitDir)
let differing = 0
const sizes = { git: 0, packlens: 0 }
for (let number = 0; number < Number(values.cases); number++) {
  const { spec, options, args } = question()
  const tar = Buffer.concat([...repo.archive(spec, options)])
  const zip = Buffer.concat([...repo.archive(spec, { ...options, format: 'zip' })])
  const theirZip = git('archive', '--format=zip', ...args)
  sizes.git += theirZip.length
  sizes.packlens += zip.length
  if (values.unzip) {
    writeFileSync(join(scratch, 'a.zip'), zip)
    run(values.unzip, ['-t', '-q', join(scratch, 'a.zip')])
  }
  const isTar = tar.equals(git('archive', '--format=tar', ...args))
  const isZip = checkedRows(zip) === checkedRows(theirZip)
  if (isTar && isZip) continue
  differing++
  console.log(`differs (${isTar ? 'zip' : 'tar'}): git archive ${args.join(' ')}`)
}
repo.close()
rmSync(scratch, { recursive: true })
const percent = ((100 * sizes.packlens) / sizes.git).toFixed(1)
console.log(`${differing} of ${values.cases} differ; zip files have ${percent} % of git's size`)
process.exitCode = differing > 0 ? 1 : 0

#!/usr/bin/env node
// Makes calls on a repository while git commits, repacks, packs refs and rewrites
// graphs in it. Each answer is known before, or is between the states before and after
// the call. No call may fail.
//
//   npm run check:live -- [--minutes 1] [--seed 1] [--most 4000]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { open, openSync } from 'packlens'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    // More commits would make git's own repacks the whole test.
    most: { type: 'string', default: '4000' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'check-live-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const end = Date.now() + Number(values.minutes) * 60_000

let state = Number(values.seed)
function random(below) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0
  return (state >>> 8) % below
}
const one = (list) => list[random(list.length)]

const environment = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'A U Thor'],
    [`GIT_${who}_EMAIL`, 'author@example.com'],
  ]),
)

function git(args, { input = '', date = 0 } = {}) {
  const dates = { GIT_AUTHOR_DATE: `${date} +0000`, GIT_COMMITTER_DATE: `${date} +0000` }
  const env = { ...process.env, ...environment, ...dates, GIT_CONFIG_NOSYSTEM: '1' }
  return new Promise((done, failed) => {
    const child = spawn('git', ['-C', folder, ...args], { env })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text) => (stdout += text))
    child.stderr.on('data', (text) => (stderr += text))
    child.on('error', failed)
    child.on('close', (code) =>
      code === 0 ? done(stdout.trim()) : failed(new Error(`git ${args.join(' ')}: ${stderr}`)),
    )
    // Most of these calls read no graph.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** The commits of `main`, the oldest first; the last `begun - done` may not exist yet. */
const commits = []
/** Tags that are never deleted, by the number of their commit. */
const tags = []
let done = 0

async function commit() {
  const at = commits.length
  const blob = await git(['hash-object', '-w', '--stdin'], { input: `${at}\n` })
  const folded = await git(['mktree'], { input: `100644 blob ${blob}\tfile\n` })
  const tree = await git(['mktree'], {
    input: `100644 blob ${blob}\tnumber\n040000 tree ${folded}\tfolder\n`,
  })
  const parents = at === 0 ? [] : ['-p', commits[at - 1].oid]
  const date = 1_700_000_000 + at
  const oid = await git(['commit-tree', tree, ...parents], { input: `commit ${at}\n`, date })
  commits.push({ oid, tree, blob, at })
  await git(['update-ref', 'refs/heads/main', oid])
  done = commits.length
  if (at % 10 !== 0) return
  await git(['update-ref', `refs/tags/t${at}`, oid])
  tags.push(at)
}

const WRITES = [
  [60, () => (commits.length < Number(values.most) ? commit() : null)],
  [8, () => git(['update-ref', `refs/heads/b${random(20)}`, one(commits.slice(0, done)).oid])],
  [4, () => git(['update-ref', '-d', `refs/heads/b${random(20)}`])],
  [5, () => git(['pack-refs', '--all', '--prune'])],
  [4, () => git(['repack', '-dq'])],
  [2, () => git(['repack', '-adq'])],
  [2, () => git(['repack', '-adqb', '--write-midx'])],
  [2, () => git(['multi-pack-index', 'write', '--no-progress'])],
  [1, () => git(['multi-pack-index', 'expire', '--no-progress'])],
  [2, () => git(['commit-graph', 'write', '--reachable', '--no-progress'])],
  [2, () => git(['commit-graph', 'write', '--reachable', '--no-progress', '--split'])],
  [1, () => git(['prune-packed', '-q'])],
  [1, () => git(['gc', '-q', '--prune=now'])],
]

function weighed(list) {
  let left = random(list.reduce((sum, [weight]) => sum + weight, 0))
  return list.find(([weight]) => {
    left -= weight
    return left < 0
  })
}

let writes = 0
let ended = false
async function write() {
  while (!ended) {
    await weighed(WRITES)[1]()
    writes++
  }
}

const known = () => one(commits.slice(0, done))
const same = (found, expected) =>
  `${found}` === `${expected}` ? null : `${found} where it is ${expected}`
/** Returns the error in the number of commits on `main`, or `null`; `start` is the state before. */
const within = (least, found) =>
  found >= least && found <= commits.length ? null : `${found} not from ${least} on`
async function listOf(rows) {
  const list = []
  for await (const row of rows) list.push(row)
  return list
}

/** Calls: each returns what is wrong, or `null`. */
const QUESTIONS = {
  async read(repo) {
    const { oid, tree, at } = known()
    const found = await repo.readCommit(oid)
    return same([found.tree, found.message], [tree, `commit ${at}\n`])
  },
  async path(repo) {
    const { oid, at } = known()
    const { data } = await repo.readBlob(`${oid}:folder/file`)
    return same(new TextDecoder().decode(data), `${at}\n`)
  },
  async many(repo) {
    const expected = Array.from({ length: 20 }, known)
    const rows = [...(await repo.readMany(expected.map(({ blob }) => blob)))]
    const ids = rows.map((row) => (row.type === 'blob' ? row.oid : row.type))
    return same(
      ids,
      expected.map(({ blob }) => blob),
    )
  },
  async main(repo) {
    const least = done
    const oid = await repo.resolve('main')
    return within(least, commits.findIndex((commit) => commit.oid === oid) + 1)
  },
  async count(repo) {
    const least = done
    return within(least, await repo.countCommits('main'))
  },
  async refs(repo) {
    const there = [...tags]
    const refs = new Map((await listOf(repo.refs.list())).map(({ name, oid }) => [name, oid]))
    const lost = there.find((at) => refs.get(`refs/tags/t${at}`) !== commits[at].oid)
    return lost === undefined ? null : `refs/tags/t${lost} is ${refs.get(`refs/tags/t${lost}`)}`
  },
  async info(repo) {
    const { oid } = known()
    const found = await repo.info(oid)
    return same([found.oid, found.type], [oid, 'commit'])
  },
  async absent(repo) {
    return same(await repo.find('f00df00df00df00df00df00df00df00df00df00d'), null)
  },
  async short(repo) {
    const { blob } = known()
    return same(await repo.resolve(blob.slice(0, 16)), blob)
  },
  async ancestor(repo) {
    return same(await repo.isAncestor(known().oid, 'main'), true)
  },
  async base(repo) {
    const [a, b] = [known(), known()]
    return same(await repo.mergeBase(a.oid, b.oid), a.at < b.at ? a.oid : b.oid)
  },
  async list(repo) {
    const from = known()
    const oids = await listOf(repo.revList(from.oid, { limit: 50 }))
    const expected = commits.slice(Math.max(0, from.at - 49), from.at + 1).reverse()
    return same(
      oids,
      expected.map(({ oid }) => oid),
    )
  },
  async walk(repo) {
    const paths = (await listOf(repo.walk(known().oid, { recursive: true }))).map(
      ({ path }) => path,
    )
    return same(paths, ['folder', 'folder/file', 'number'])
  },
  async objects(repo) {
    if (random(30) !== 0) return null
    const expected = commits.slice(0, done)
    const oids = new Set((await listOf(repo.objects({ fields: 'info' }))).map(({ oid }) => oid))
    const lost = expected.find(
      ({ oid, tree, blob }) => ![oid, tree, blob].every((id) => oids.has(id)),
    )
    return lost === undefined ? null : `commit ${lost.at} is not listed whole`
  },
}

const reported = []
const tell = (line) => {
  reported.push(line)
  console.log(line)
}
let asked = 0

async function ask(repo, reader) {
  const [name, question] = one(Object.entries(QUESTIONS))
  asked++
  try {
    const wrong = await question(repo)
    if (wrong !== null) tell(`${reader}, ${name}: ${wrong}`)
  } catch (error) {
    const again = await question(repo).then(
      () => 'right when asked again',
      (error) => `again ${error}`,
    )
    tell(`${reader}, ${name}: ${error.code} ${error.message}; ${again}`)
  }
}

async function read(reader, opened) {
  let repo = await opened()
  for (let count = 1; Date.now() < end; count++) {
    await ask(repo, reader)
    if (count % 2000 === 0) {
      repo.close()
      repo = await opened()
    }
    await new Promise((next) => setTimeout(next, 2))
  }
  repo.close()
}

await git(['init', '-q', '--bare', '-b', 'main', '.'])
for (let at = 0; at < 30; at++) await commit()
// Without packs git writes no multi-pack-index.
await git(['repack', '-dq'])
const writing = write()
await Promise.all([
  read('sync', async () => openSync(folder)),
  read('worker', () => open(folder, { worker: true })),
  read('promises', () => open(folder, { memory: 8 << 20 })),
])
ended = true
await writing
console.log(
  `${asked} questions, ${writes} writes, ${commits.length} commits, ${reported.length} wrong`,
)
process.exitCode = reported.length === 0 ? 0 : 1

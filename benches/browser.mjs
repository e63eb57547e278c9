#!/usr/bin/env node
// Compares the package in browsers with the package in Node: the same jobs, each in a worker, over
// a picked folder, a folder of the browser's own file system (OPFS) and a server (nginx).
//
//   npm run bench:browser -- --git-dir DIR [--browsers chromium,firefox] [--requests 2000] [--runs 3]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { firefox } from 'playwright'
import * as packlens from '../dist/node/packlens.js'
import { launchChromiumIn } from '../scripts/lib/browser.mjs'
import { filesUnder } from '../scripts/lib/fingerprint.mjs'
import { findFirefox } from '../scripts/lib/firefox.mjs'
import { startNginx } from '../scripts/lib/nginx-server.mjs'
import { distDir, inRoot } from '../scripts/lib/paths.mjs'
import { linkRepository } from '../scripts/lib/served-repository.mjs'
import { measure, names } from './browser/jobs.mjs'
import { gitDirOf } from './lib/git-dir.mjs'
import { numbersFrom, someOf } from './lib/random.mjs'
import { spread } from './lib/spread.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    browsers: { type: 'string', default: 'chromium,firefox' },
    file: { type: 'string', default: 'HEAD:README.md' },
    requests: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '3' },
  },
})
const gitDir = gitDirOf(values, 'bench:browser')

const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-browser-'))

/** In a private window of Chromium each read of OPFS is a call to another process. */
const launchers = {
  chromium: (source) => launchChromiumIn(path.join(folder, source)),
  firefox: async () => {
    const executablePath = await findFirefox()
    const browser = await firefox.launch({ channel: 'moz-firefox', executablePath })
    closing.push(() => browser.close())
    return browser.newContext()
  },
}

/** The automation of an unchanged Firefox cannot pick a folder. */
const sources = { chromium: ['folder', 'OPFS', 'URL'], firefox: ['OPFS', 'URL'] }

const closing = [() => rmSync(folder, { recursive: true, force: true })]
try {
  const url = await serve()
  const given = { file: values.file, blobs: randomBlobs(Number(values.requests)) }
  const runners = { 'Node, path': (name) => measure(packlens, gitDir, name, given) }
  for (const name of values.browsers.split(',')) {
    for (const source of sources[name]) {
      runners[`${name}, ${source}`] = await runnerIn(name, source, url, given)
    }
  }
  for (const name of names) print(name, await compare(name, runners))
} finally {
  for (const close of closing.reverse()) await close()
}

/** Serves the package, the jobs, an empty page and the repository; returns the address. */
async function serve() {
  const [pages, repositories] = ['pages', 'repositories'].map((name) => path.join(folder, name))
  mkdirSync(pages)
  const input = '<input type="file" webkitdirectory>'
  writeFileSync(path.join(pages, 'index.html'), `<!doctype html>${input}`)
  linkRepository(gitDir, path.join(repositories, 'project.git'))
  const types = 'types { text/html html; text/javascript js mjs; application/wasm wasm; }'
  const { url, stop } = await startNginx([
    { prefix: '/dist/', folder: distDir, lines: [types] },
    { prefix: '/jobs/', folder: inRoot('benches', 'browser'), lines: [types] },
    { prefix: '/repositories/', folder: repositories },
    { prefix: '/', folder: pages, lines: [types, 'index index.html;'] },
  ])
  closing.push(stop)
  return url
}

/** Returns the ids of blobs of the repository, chosen at random. */
function randomBlobs(count) {
  const repo = packlens.openSync(gitDir)
  const all = []
  for (const { oid } of repo.objects({ type: 'blob', fields: 'info' })) all.push(oid)
  repo.close()
  return someOf(all, count, numbersFrom(1))
}

/** Opens a page that has the repository in a source; returns a function that does a job there. */
async function runnerIn(name, source, url, given) {
  const context = await launchers[name](source)
  closing.push(() => context.close())
  const page = await context.newPage()
  await page.goto(`${url}/`)
  if (source === 'folder') await page.setInputFiles('input', gitDir)
  const files = filesUnder(gitDir)
    .map((file) => path.relative(gitDir, file).replaceAll(path.sep, '/'))
    .filter((file) => /^(HEAD|config|packed-refs|refs\/.*|objects\/(?!info\/).*)$/.test(file))
  await page.evaluate(prepare, { source, files, address: `${url}/repositories/project.git/` })
  return (job) => page.evaluate(([job, given]) => globalThis.run(job, given), [job, given])
}

/** In the page: makes the source. */
async function prepare({ source, files, address }) {
  const [packlens, { measure }] = await Promise.all([
    import('/dist/packlens.js'),
    import('/jobs/jobs.mjs'),
  ])
  const folders = {
    folder: () => document.querySelector('input').files,
    URL: () => address,
    async OPFS() {
      const top = await navigator.storage.getDirectory()
      for (const file of files) {
        const names = file.split('/')
        let place = top
        for (const name of names.slice(0, -1)) {
          place = await place.getDirectoryHandle(name, { create: true })
        }
        const handle = await place.getFileHandle(names.at(-1), { create: true })
        const writable = await handle.createWritable()
        await (await fetch(address + file)).body.pipeTo(writable)
      }
      return top
    },
  }
  const given = await folders[source]()
  globalThis.run = (job, asked) => measure(packlens, given, job, asked)
}

/** Does a job everywhere in turn; the first round, in which code is compiled, does not count. */
async function compare(name, runners) {
  const rows = new Map(Object.keys(runners).map((where) => [where, []]))
  for (let round = -1; round < Number(values.runs); round++) {
    for (const [where, run] of Object.entries(runners)) {
      const result = await run(name)
      rows.get(where).push(result)
      const expected = rows.get('Node, path')[0].answer
      if (JSON.stringify(result.answer) !== JSON.stringify(expected)) {
        throw new Error(
          `${name}, ${where}: ${JSON.stringify(result.answer)}, not ${JSON.stringify(expected)}`,
        )
      }
    }
  }
  return rows
}

function print(name, rows) {
  const times = (where) =>
    rows
      .get(where)
      .slice(1)
      .map(({ milliseconds }) => milliseconds)
  const node = times('Node, path')
  console.log(`\n## ${name}\n`)
  console.log('| where | time / Node | ms | bytes read | reads |\n| --- | --: | --: | --: | --: |')
  for (const [where, results] of rows) {
    const own = times(where)
    const { median, least, most } = spread(own.map((time, round) => time / node[round]))
    const figure = (value) => Number(value.toPrecision(3))
    const { bytesRead, reads } = results.at(-1)
    const ratio = `${figure(median)} (${figure(least)}–${figure(most)})`
    const time = Math.round(spread(own).median).toLocaleString('en')
    console.log(
      `| ${where} | ${ratio} | ${time} | ${bytesRead.toLocaleString('en')} | ${reads.toLocaleString('en')} |`,
    )
  }
}

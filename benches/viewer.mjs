#!/usr/bin/env node
// Measures the viewer in Chromium with a slowed processor: opens a repository from a folder, shows
// its first tree, then a file of about 2,000 lines; then scrolls a made file of 50,000 lines. Prints
// medians, the longest tasks of the page's thread, and the number of elements.
//
//   npm run bench:viewer -- --git-dir DIR [--file PATH] [--runs 5] [--slower 4]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { preview } from 'vite'
import { openSync } from '../dist/index.node.js'
import { launchChromium } from '../scripts/lib/browser.mjs'
import { buildDemo } from '../scripts/lib/demo.mjs'
import { startNginx } from '../scripts/lib/nginx-server.mjs'
import { inRoot, targetDir } from '../scripts/lib/paths.mjs'
import { linkRepository } from '../scripts/lib/served-repository.mjs'
import { gitDirOf } from './lib/git-dir.mjs'
import { startSlowNetwork } from './lib/slow-network.mjs'

/** The lines of the file that is shown, if none is named. */
const LINES = [2000, 2500]

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    file: { type: 'string' },
    runs: { type: 'string', default: '5' },
    slower: { type: 'string', default: '4' },
    mbit: { type: 'string', default: '10' },
    latency: { type: 'string', default: '40' },
  },
})
const gitDir = gitDirOf(values, 'bench:viewer')

/** The lines of the file that is scrolled, and for how many milliseconds. */
const LONG = 50_000
const SCROLLED = 3000

const file = values.file ?? fileWithLines()
await buildDemo()
console.log(`${path.basename(gitDir)}, ${file}, ${values.slower} times slower`)
const server = await preview({
  root: inRoot('demo'),
  build: { outDir: path.join(targetDir, 'demo') },
  preview: { host: '127.0.0.1', port: 0 },
  logLevel: 'silent',
})
const long = makeLong()
const browser = await launchChromium()
const network = await serveSlowly()
try {
  const runs = []
  for (let run = 0; run < Number(values.runs); run++) runs.push(await once())
  for (const name of Object.keys(runs[0])) {
    const sorted = runs.map((run) => run[name]).sort((a, b) => a - b)
    const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)])
    console.log(`${name.padEnd(32)} median ${at(0.5)} (${at(0)}-${at(1)})`)
  }
} finally {
  await browser.close()
  await server.close()
  await network.stop()
  rmSync(long, { recursive: true })
}

/** Makes a repository with one long file of code. */
function makeLong() {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-viewer-'))
  const git = (args, input) =>
    execFileSync(
      'git',
      ['--git-dir', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args],
      {
        input,
      },
    )
      .toString()
      .trim()
  git(['init', '-q', '--bare', '--initial-branch=main'])
  const line = (at) =>
    `  if (sum[${at}] > limit) return "line ${at}" + sum[${at % 97}]; // ${at * 7919}\n`
  const text = Array.from({ length: LONG }, (_, at) => line(at)).join('')
  const blob = git(['hash-object', '-w', '--stdin'], text)
  const tree = git(['mktree'], `100644 blob ${blob}\tlong.c\n`)
  git(['update-ref', 'refs/heads/main', git(['commit-tree', '-m', 'long', tree])])
  return folder
}

/** Returns the path of the first file of HEAD with about as many lines as are asked for. */
function fileWithLines() {
  const repo = openSync(gitDir)
  try {
    const [least, most] = LINES
    const options = { recursive: true, trees: false, sizes: true }
    for (const { path: found, oid, size, isBlob } of repo.walk('HEAD', options)) {
      if (!isBlob || size < 10 * least || size > 100 * most) continue
      const { data } = repo.readBlob(oid)
      if (data.includes(0)) continue
      const lines = data.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
      if (lines >= least && lines < most) return found
    }
  } finally {
    repo.close()
  }
  throw new Error(`HEAD has no text of ${LINES[0]} lines: name one with --file`)
}

async function once() {
  const read = await withPage(readFile)
  return { ...read, ...(await withPage(scroll)), ...(await openByAddress()) }
}

/** Serves the viewer, compressed, and the repository, by a slow network. */
async function serveSlowly() {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-viewer-served-'))
  linkRepository(path.resolve(gitDir), path.join(folder, 'project.git'))
  const gzip = [
    'gzip on;',
    'gzip_comp_level 9;',
    'gzip_types text/css text/javascript application/wasm;',
  ]
  const types = 'types { text/html html; text/javascript js; text/css css; application/wasm wasm; }'
  const nginx = await startNginx([
    { prefix: '/viewer/', folder: path.join(targetDir, 'demo'), lines: [types, ...gzip] },
    { prefix: '/', folder },
  ])
  const conditions = { mbit: Number(values.mbit), latency: Number(values.latency) }
  const slow = await startSlowNetwork(nginx.url, conditions)
  const stop = async () => {
    await slow.stop()
    await nginx.stop()
    rmSync(folder, { recursive: true })
  }
  return { ...slow, stop }
}

/** Opens the repository by its address in a new context, which has an empty cache. */
async function openByAddress() {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    network.taken()
    await page.goto(
      `${network.url}/viewer/?url=${encodeURIComponent(`${network.url}/project.git`)}`,
    )
    const tree = await page.waitForFunction(() => {
      return document.querySelector('.files tbody tr') ? performance.now() : false
    })
    const milliseconds = await tree.jsonValue()
    const { requests, bytes } = network.taken()
    return {
      'first tree by address, ms': milliseconds,
      'requests until then': requests,
      'KB until then': bytes / 1000,
    }
  } finally {
    await context.close()
  }
}

/** Runs in a new page of the viewer, with a slowed processor. */
async function withPage(run) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(server.resolvedUrls.local[0])
    await page.locator('main section').first().waitFor()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slower) })
    await page.evaluate(watchTasks)
    return await run(page)
  } finally {
    await context.close()
  }
}

/** Opens the folder, and shows the file. */
async function readFile(page) {
  const tree = await openFolder(page, gitDir)
  const treeElements = await page.locator('*').count()
  const opening = await page.evaluate(takeLongest)
  const text = await showFile(page, file)
  return {
    'first tree, ms': tree,
    'the file, ms': text,
    'longest task of opening, ms': opening,
    'longest task of the file, ms': await page.evaluate(takeLongest),
    'elements, tree': treeElements,
    'elements, file': await page.locator('*').count(),
  }
}

/** Scrolls through the long file, which is too long for colors. */
async function scroll(page) {
  await openFolder(page, long)
  await showFile(page, 'long.c')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.locator('.numbered', { hasText: `line ${LONG - 1}"` }).waitFor()
  await page.evaluate(takeLongest)
  const frames = await page.evaluate(scrollFor, SCROLLED)
  return {
    'frames a second, scrolling': frames,
    'longest task of scrolling, ms': await page.evaluate(takeLongest),
  }
}

async function openFolder(page, folder) {
  const opened = page.evaluate(timeUntil, { event: 'change', selector: '.files tbody tr' })
  await page.getByLabel('Folder of a repository').setInputFiles(path.resolve(folder))
  return opened
}

async function showFile(page, name) {
  const shown = page.evaluate(timeUntil, { event: 'hashchange', selector: '.numbered' })
  await page.evaluate((hash) => {
    location.hash = hash
  }, `#/HEAD/${name}`)
  return shown
}

/** Runs in the page: scrolls a screen or less in each frame; returns the frames a second. */
function scrollFor(milliseconds) {
  return new Promise((resolve) => {
    const start = performance.now()
    let frames = 0
    const step = (now) => {
      if (now - start >= milliseconds) return resolve((frames * 1000) / (now - start))
      frames++
      scrollBy({ top: innerHeight / 2, behavior: 'instant' })
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })
}

/** Runs in the page: returns the longest task so far, and begins again. */
function takeLongest() {
  const longest = window.longestTask
  window.longestTask = 0
  return longest
}

/** Runs in the page: notes the longest task from now on. */
function watchTasks() {
  window.longestTask = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      window.longestTask = Math.max(window.longestTask, duration)
    }
  }).observe({ type: 'longtask' })
}

/**
 * Runs in the page: returns the milliseconds from an event until an element is drawn that was not
 * there before.
 */
function timeUntil({ event, selector }) {
  const before = document.querySelector(selector)
  return new Promise((resolve, reject) => {
    const begin = () => {
      const start = performance.now()
      const look = () => {
        const element = document.querySelector(selector)
        if (performance.now() > start + 60_000) reject(new Error(`${selector} is not shown`))
        else if (!element || element === before) requestAnimationFrame(look)
        else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
      }
      requestAnimationFrame(look)
    }
    addEventListener(event, begin, { once: true, capture: true })
  })
}

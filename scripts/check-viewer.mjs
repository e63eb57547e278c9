#!/usr/bin/env node
// Opens a repository of any size in the built viewer, from its folder and by its address, and compares
// what each kind of page shows with git's answers; then cancels opening it. Fails if anything
// differs, if the console says anything, or if another host is asked.
//
//   npm run check:viewer -- --git-dir DIR [--git PATH] [--browser firefox] [name ...]
//
// `--git-dir` names a bare repository. Names limit the run to comparisons such as `blame`. Firefox opens
// it by its address only: the protocol that drives it cannot choose a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { firefox } from 'playwright'
import { launchChromium } from './lib/browser.mjs'
import { buildDemo } from './lib/demo.mjs'
import { findFirefox } from './lib/firefox.mjs'
import { startNginx } from './lib/nginx-server.mjs'
import { targetDir } from './lib/paths.mjs'
import { linkRepository } from './lib/served-repository.mjs'
import { COMPARISONS } from './lib/viewer-check/comparisons.mjs'
import { GitAnswers } from './lib/viewer-check/git-answers.mjs'
import { Shown } from './lib/viewer-check/shown.mjs'
import { textFiles } from './lib/viewer-check/subjects.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'git-dir': { type: 'string' },
    git: { type: 'string', default: 'git' },
    browser: { type: 'string', default: 'chromium' },
  },
})
if (values['git-dir'] === undefined) {
  console.error('--git-dir DIR: a bare repository')
  process.exit(2)
}
const gitDir = path.resolve(values['git-dir'])
const isFirefox = values.browser === 'firefox'
await buildDemo()
const served = mkdtempSync(path.join(tmpdir(), 'packlens-viewer-'))
linkRepository(gitDir, path.join(served, 'project.git'))
const types = 'types { text/html html; text/javascript js; text/css css; application/wasm wasm; }'
const server = await startNginx([
  { prefix: '/viewer/', folder: path.join(targetDir, 'demo'), lines: [types] },
  { prefix: '/', folder: served },
])
const viewer = `${server.url}/viewer/`
const address = `${viewer}?url=${encodeURIComponent(`${server.url}/project.git`)}`
const browser = await (isFirefox
  ? firefox.launch({ channel: 'moz-firefox', executablePath: await findFirefox() })
  : launchChromium())
const git = new GitAnswers(values.git, gitDir)
const files = textFiles(git, 3)
const faults = []
let [equal, different] = [0, 0]

try {
  if (!isFirefox) await compareAll('folder', openFolder)
  await compareAll('address', (page) => page.goto(address), true)
  await inPage(async (page) => count('cancel', cancelOpening(page)))
} finally {
  await browser.close()
  await server.stop()
  rmSync(served, { recursive: true })
}
for (const fault of faults) console.log(`  ${fault}`)
console.log(`${equal} equal, ${different} different, ${faults.length} faults of the page`)
if (different + faults.length > 0) process.exitCode = 1

async function openFolder(page) {
  await page.goto(viewer)
  await page.locator('main section').first().waitFor()
  await page.getByLabel('Folder of a repository').setInputFiles(gitDir)
  await page.getByText('a folder, read from this computer').waitFor()
}

async function compareAll(way, open, reopen = false) {
  await inPage(async (page) => {
    await open(page)
    const about = { git, shown: new Shown(page), files, reopen }
    for (const [name, compare] of Object.entries(COMPARISONS)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue
      await count(`${way}, ${name}`, compare(about))
    }
  })
}

async function count(name, rows) {
  const start = performance.now()
  const before = [equal, different]
  for await (const [what, shown, expected] of rows) {
    if (isDeepStrictEqual(shown, expected)) {
      equal++
      continue
    }
    different++
    console.log(`  ${what}:\n    shown ${textOf(shown)}\n    git's ${textOf(expected)}`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const [same, other] = [equal - before[0], different - before[1]]
  console.log(`${name}: ${same} equal, ${other} different, ${seconds} s`)
}

function textOf(value) {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

/** Runs in a page of its own, and notes what it must not do. */
async function inPage(run) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
    page.on('console', (message) => faults.push(`console: ${message.text()}`))
    page.on('request', (request) => {
      const isOwn = [server.url, 'blob:'].some((url) => request.url().startsWith(url))
      if (!isOwn) faults.push(`request: ${request.url()}`)
    })
    await run(page)
  } finally {
    await context.close()
  }
}

/** Cancels opening by address, and opens it after that. */
async function* cancelOpening(page) {
  await page.goto(viewer)
  await page.locator('main section').first().waitFor()
  const name = await page.locator('.header h1').textContent()
  let release = () => {}
  const held = new Promise((resolve) => {
    release = resolve
  })
  await page.route('**/project.git/**', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  // An address that is opened is a page of its own; without another repository before it.
  await page.goto(address, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.opening').waitFor({ state: 'detached' })
  yield ['canceled: alerts', await page.getByRole('alert').count(), 0]
  release()
  await page.unroute('**/project.git/**')
  await page.reload()
  await page.locator('.files tbody tr').first().waitFor()
  yield ['opened after that', (await page.locator('.header h1').textContent()) !== name, true]
}

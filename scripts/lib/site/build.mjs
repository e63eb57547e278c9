// Builds the documentation site in target/docs.
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot, root, targetDir } from '../paths.mjs'
import { note } from '../report.mjs'
import { installInto } from '../setup.mjs'
import { runNode } from '../shell.mjs'
import { sitePages } from './pages.mjs'

/** The folder of the generators, which are dependencies of the site alone. */
const site = inRoot('site')
const pagesDir = path.join(targetDir, 'site', 'pages')

/** The site for its tests, at a path of a server: links that ignore the path fail there. */
export const builtForTests = path.join(targetDir, 'site', 'built')
export const testBase = '/some/path/'

/**
 * Builds the site, files for any web server. `flags` are VitePress's, such as `--base /packlens/`
 * for a path of a server.
 */
export async function buildSite(flags = [], out = path.join(targetDir, 'docs')) {
  await installInto(site)
  note('pages of the documents, and of the declarations (target/site)')
  rmSync(pagesDir, { recursive: true, force: true })
  for (const [name, { text }] of sitePages()) write(name, text)
  const isPicture = (file) => statSync(file).isDirectory() || file.endsWith('.svg')
  cpSync(inRoot('docs'), pagesDir, { recursive: true, filter: isPicture })
  const typedoc = path.join(site, 'node_modules', 'typedoc', 'bin', 'typedoc')
  const api = ['--out', path.join(pagesDir, 'api'), '--logLevel', 'Error']
  await runNode(typedoc, ['--options', path.join(site, 'typedoc.json'), ...api])
  // No package may be installed yet when this file is read.
  const { addExamples } = await import('./api-pages.mjs')
  addExamples(path.join(pagesDir, 'api'))
  note(`the site (${path.relative(root, out)})`)
  const vitepress = path.join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
  await runNode(vitepress, ['build', site, '--outDir', out, ...flags])
}

function write(name, text) {
  const file = path.join(pagesDir, ...name.split('/'))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// Builds a copy of github1s with packlens as docs/guides/github1s.md says.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { toolsDir } from '../environments.mjs'
import { inRoot, root } from '../paths.mjs'
import { note } from '../report.mjs'
import { Failure, npm, runNode } from '../shell.mjs'

const EXTENSION = path.join('extensions', 'github1s')
const ADAPTERS = path.join(EXTENSION, 'src', 'adapters', 'index.ts')

/**
 * Copies github1s from `suite` to `folder`, adds the adapter, and runs github1s' own build of its
 * extension. `urlOf` is the text of the function that names the repositories.
 */
export async function buildExtension(suite, folder, urlOf) {
  const skipped = ['.git', 'node_modules', 'dist'].map((name) => path.sep + name)
  const filter = (file) => !skipped.some((end) => file.slice(suite.length).endsWith(end))
  cpSync(suite, folder, { recursive: true, filter })
  applyGuide(folder)
  const adapters = path.join(folder, ADAPTERS)
  const text = readFileSync(adapters, 'utf8')
  const ours = text.replace(/new PacklensAdapter\(.*\)\)/, () => `new PacklensAdapter(${urlOf}))`)
  if (ours === text) throw new Failure(`${ADAPTERS} makes no adapter`)
  writeFileSync(adapters, ours)

  const extension = path.join(folder, EXTENSION)
  const installed = path.join(suite, EXTENSION, 'node_modules')
  if (existsSync(installed))
    symlinkSync(installed, path.join(extension, 'node_modules'), 'junction')
  else await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', extension])
  const example = exampleIn(path.join(folder, 'packlens'))
  await runNode(path.join(example, 'build.mjs'), [folder])
  await checkTypes(example, path.join(folder, EXTENSION, 'src', 'adapters', 'types.ts'))
  note("github1s' own build of its extension (npm run compile)")
  await npm(['run', 'compile', '--prefix', extension])
  return extension
}

/** Applies the change that the guide shows, as its readers do. */
function applyGuide(folder) {
  const guide = readFileSync(inRoot('docs', 'guides', 'github1s.md'), 'utf8')
  const [, patch] = /```diff\n(.*?)```/s.exec(guide) ?? []
  if (patch === undefined) throw new Failure('docs/guides/github1s.md shows no change')
  // Without this variable, git looks for a repository above the folder, and applies nothing.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) }
  const { status, stderr } = spawnSync('git', ['apply', '-'], {
    ...{ cwd: folder, input: patch, encoding: 'utf8', env },
  })
  if (status !== 0) throw new Failure(`the change of the guide does not apply: ${stderr}`)
}

/** Copies the example, with the packages that `npm install` gives it. */
function exampleIn(folder) {
  for (const name of ['github1s', 'data-source']) {
    cpSync(inRoot('examples', name), path.join(folder, 'examples', name), { recursive: true })
  }
  const packages = path.join(folder, 'node_modules')
  mkdirSync(path.join(packages, '@types'), { recursive: true })
  symlinkSync(root, path.join(packages, 'packlens'), 'junction')
  for (const name of ['esbuild', path.join('@types', 'vscode')]) {
    symlinkSync(path.join(toolsDir, 'node_modules', name), path.join(packages, name), 'junction')
  }
  return path.join(folder, 'examples', 'github1s')
}

/** Compares the adapter's types with github1s' own, which it extends and implements. */
async function checkTypes(example, types) {
  // github1s' file is checked by its own build; here its classes are read.
  cpSync(types, path.join(path.dirname(example), 'types.ts'))
  const options = {
    ...{ strict: true, noEmit: true, skipLibCheck: true },
    ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
    ...{ target: 'es2022', lib: ['es2024', 'dom'], types: ['vscode'], noImplicitOverride: true },
  }
  const settings = path.join(example, 'tsconfig.json')
  writeFileSync(settings, JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
  await runNode(inRoot('node_modules', 'typescript', 'bin', 'tsc'), ['--project', settings])
}

/** Bundles the script of github1s' page for the VS Code of `site.mjs`. */
export async function buildPage(folder, outfile) {
  const require = createRequire(path.join(toolsDir, 'package.json'))
  const { build } = await import(pathToFileURL(require.resolve('esbuild')).href)
  const defined = {
    // Without it, the page loads the files of github1s' own build of VS Code by their names.
    DEV_VSCODE: true,
    GITHUB_ORIGIN: 'https://github.com',
    GITLAB_ORIGIN: 'https://gitlab.com',
    GITHUB1S_EXTENSIONS: [],
    AVAILABLE_LANGUAGES: [],
    GITHUB_OAUTH_ID: '',
    GITLAB_OAUTH_ID: '',
  }
  const define = Object.fromEntries(
    Object.entries(defined).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  await build({
    entryPoints: [path.join(folder, 'src', 'index.ts')],
    ...{ outfile, bundle: true, format: 'iife', define, logLevel: 'error' },
    loader: { '.svg': 'dataurl', '.css': 'empty' },
  })
}

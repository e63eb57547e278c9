// The steps of `npm test` and `npm run lint`, in the order in which they run.
import { existsSync } from 'node:fs'
import { findChromium } from './browser.mjs'
import { installEnvironments, packPackage } from './environments.mjs'
import { findFirefox } from './firefox.mjs'
import { findNginx } from './nginx.mjs'
import { inRoot, wasiTarget, wasmTarget } from './paths.mjs'
import {
  addRustComponents,
  addRustTargets,
  checkLinker,
  checkNode,
  checkRust,
  installNpmPackages,
} from './setup.mjs'
import { Failure, outputOf, run, runNode } from './shell.mjs'
import { buildSite, builtForTests, testBase } from './site/build.mjs'
import { buildTrapPackage } from './trap.mjs'
import { buildPackage, checkTypes } from './typescript.mjs'
import { buildViewer } from './viewer-archive.mjs'
import { vitest } from './vitest.mjs'
import { buildBindingsTool, buildWasm } from './wasm.mjs'
import { installWebKit } from './webkit.mjs'

/**
 * `needs` are steps that must have passed before: asking for one step by its
 * name runs these too. The steps of a `lane` run one after the other, beside all others: those of
 * cargo alone, and those whose tests wait for a browser. What a step makes is read by those that
 * need it, and changed by no other. In each lane, those that need a step of cargo come last: until
 * then neither waits for the other.
 * `lint` marks the steps of `npm run lint`, `filters` those whose tests can be selected, `apart`
 * those that run only when they are named.
 */
export const steps = [
  { name: 'set-up', about: 'packages, Rust targets, tools, browsers, nginx', job: setUp },
  { name: 'rustfmt', about: 'format of the Rust sources', job: rustfmt, lane: 'cargo', lint: true },
  {
    name: 'clippy',
    about: 'Rust lints, native and wasm32',
    job: clippy,
    lane: 'cargo',
    lint: true,
  },
  { name: 'biome', about: 'format and lints of TypeScript', job: biome, lint: true },
  { name: 'wasm', about: 'module and bindings', job: buildWasm },
  { name: 'tsc', about: 'package, types of tests and demo', job: tsc, lint: true, needs: ['wasm'] },
  { name: 'fixtures', about: 'repositories to target/fixtures', job: unpackFixtures },
  {
    name: 'published',
    about: 'the viewer, built, and the package as it is published',
    job: published,
    needs: ['tsc'],
  },
  { name: 'doc', about: 'Rust documentation', job: rustDoc, lane: 'cargo' },
  {
    name: 'trap',
    about: 'a package that traps on request',
    job: trap,
    lane: 'cargo',
    needs: ['published'],
  },
  {
    name: 'native',
    about: 'tests of the core and its boundary',
    job: nativeTests,
    lane: 'cargo',
    needs: ['fixtures'],
    filters: true,
  },
  {
    name: 'wasi',
    about: 'tests of formats, offsets and limits, 32-bit',
    job: wasiTests,
    lane: 'cargo',
    needs: ['fixtures'],
    filters: true,
  },
  {
    name: 'bench',
    about: 'each job of the benches once, its answer compared with that of git',
    job: bench,
    needs: ['tsc', 'fixtures'],
  },
  {
    name: 'demo',
    about: 'the demo, built, in Chromium',
    lane: 'browser',
    job: ({ only }) => vitest('demo', only),
    needs: ['published', 'fixtures'],
    filters: true,
  },
  {
    name: 'browser',
    about: 'the package in Chromium',
    lane: 'browser',
    job: ({ only }) => vitest('browser', only),
    needs: ['trap', 'fixtures'],
    filters: true,
  },
  {
    name: 'firefox',
    about: 'the demo, built, in Firefox',
    job: ({ only }) => vitest('demo-firefox', only),
    needs: ['published', 'fixtures'],
    filters: true,
    apart: true,
  },
  {
    name: 'environments',
    about: 'the packed package in bundlers and runtimes',
    job: environments,
    needs: ['published', 'fixtures'],
    filters: true,
    apart: true,
  },
  {
    name: 'site',
    about: 'the documentation site, built, in Chromium',
    job: site,
    needs: ['tsc'],
    filters: true,
    apart: true,
  },
  // Takes the longest: the steps of the other lanes end while it runs.
  {
    name: 'node',
    about: 'the package in Node',
    job: nodeTests,
    needs: ['trap', 'fixtures'],
    filters: true,
  },
]

/** Files of tests/node that `npm run check` omits: they take 5 seconds or more each, or trap. */
const slowNodeTests = [
  ...[
    'cli',
    'cli-large',
    'cli-pager',
    'cli-streams',
    'completion',
    'conformance-*',
    'corrupted-bytes',
    'damaged-repositories',
    'data-source',
    'failing-sources',
  ],
  ...[
    'fsck',
    'fsck-files',
    'fsck-workers',
    'hostile-*',
    'index-over-memory',
    'index-pack',
    'index-pack-strict',
  ],
  ...[
    'concurrent-changes',
    'revisions-and-trees',
    'serve',
    'object-filter',
    'pack-stream',
    'concurrent-reads',
    'shared-walks',
    'soak',
    'trap',
  ],
  ...[
    'event-loop-turns',
    'url',
    'url-faults',
    'url-limits',
    'walks',
    'memory-growth*',
    'worker*',
    'object-listing',
  ],
]

/** Packages as arguments of cargo. */
const packages = (...names) => names.flatMap((name) => ['-p', name])

/** The crates of the core, the lowest first. */
const floors = packages(
  ...['packlens-base', 'packlens-diff', 'packlens-format', 'packlens-query'],
  ...['packlens-maintain', 'packlens'],
)

/** The crates with tests in their sources; a test of the core compares their manifests. */
const withUnitTests = packages(
  ...['packlens-base', 'packlens-format', 'packlens-query', 'packlens-wasm', 'crc32fast'],
)

/** The crates whose tests 32 bits can make fail: CONTRIBUTING.md says which these are. */
const withOffsets = packages('packlens-base', 'packlens-format', 'packlens')

/** Sets up what every job needs: the steps and the other commands. */
export async function prepare() {
  checkNode()
  await installNpmPackages()
  checkRust()
  checkLinker()
}

async function setUp({ chosen }) {
  await prepare()
  await addRustTargets(chosen.has('wasi') ? [wasmTarget, wasiTarget] : [wasmTarget])
  if (chosen.has('rustfmt') || chosen.has('clippy')) await addRustComponents()
  if (chosen.has('wasm')) await buildBindingsTool()
  if (chosen.has('environments')) await installEnvironments()
  const needs = (...steps) => steps.some((step) => chosen.has(step))
  if (needs('browser', 'environments', 'demo', 'firefox', 'site')) {
    process.env.CHROMIUM_PATH = await findChromium()
  }
  if (needs('environments', 'firefox')) process.env.FIREFOX_PATH = await findFirefox()
  if (needs('node', 'browser', 'demo', 'firefox')) process.env.NGINX_PATH = await findNginx()
  if (needs('environments')) await installWebKit()
}

async function rustfmt() {
  await run('cargo', ['fmt', '--all', '--check'])
  // Workspaces of their own, so that the project's lock file does not have them.
  for (const folder of ['benches/spent', 'benches/gitoxide', 'fuzz']) {
    const manifest = inRoot(folder, 'Cargo.toml')
    await run('cargo', ['fmt', '--manifest-path', manifest, '--check'])
  }
}

async function clippy() {
  const strict = ['--', '-D', 'warnings']
  await run('cargo', ['clippy', '--workspace', '--all-targets', '--locked', ...strict])
  const wasmCrate = ['-p', 'packlens-wasm', '--target', wasmTarget]
  await run('cargo', ['clippy', '--locked', ...wasmCrate, ...strict])
}

function biome() {
  return runNode(inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome'), [
    'check',
    '--error-on-warnings',
  ])
}

async function tsc() {
  await buildPackage()
  await checkTypes()
}

async function unpackFixtures() {
  const script = inRoot('tests', 'fixtures', 'unpack.mjs')
  if (!existsSync(script)) throw new Failure('tests/fixtures/unpack.mjs is missing')
  await runNode(script)
}

async function nativeTests({ only, quick }) {
  // Unit tests alone: those of all layers together are one large program.
  if (quick) return cargoTests([...withUnitTests, '--lib', '--locked'], only)
  const all = [...floors, ...withUnitTests, '--locked']
  // A named test may be one of the documentation.
  if (only.length > 0) return cargoTests(all, only)
  // Without the programs of the examples: clippy checks them, and the tests run their code.
  await cargoTests([...all, '--tests'], only)
  await cargoTests([...floors, '--locked', '--doc'], only)
}

/** At least one named test has to exist: cargo accepts none. */
async function cargoTests(args, only, env = {}) {
  if (only.length > 0) {
    const listed = outputOf('cargo', ['test', '-q', ...args, '--', '--list', ...only], { env })
    if (listed !== null && !/: test$/m.test(listed))
      throw new Failure(`no test is called so: ${only.join(' ')}`)
  }
  await run('cargo', ['test', ...args, ...(only.length > 0 ? ['--', ...only] : [])], { env })
}

function rustDoc() {
  return run('cargo', ['doc', ...floors, '--no-deps', '--locked'], {
    env: { RUSTDOCFLAGS: '-D warnings' },
  })
}

function wasiTests({ only }) {
  // A program of tests is one long call, in which its memory grows. If V8 ends a
  // marking phase during the call, Node 20 and 22 crash after it.
  const flags = ['--no-warnings', '--no-incremental-marking']
  const runner = [process.execPath, ...flags, inRoot('scripts', 'wasi-run.mjs')]
  const env = { CARGO_TARGET_WASM32_WASIP1_RUNNER: runner.join(' ') }
  // Examples in the documentation are the same on 32 bits, and each would be a program.
  return cargoTests([...withOffsets, '--locked', '--tests', '--target', wasiTarget], only, env)
}

async function nodeTests({ only, quick }) {
  if (quick)
    return vitest(
      'node',
      slowNodeTests.flatMap((name) => ['--exclude', `**/${name}.test.ts`]),
    )
  await vitest('node', only)
}

async function bench() {
  // All versions of git answer this fixture equally.
  const repository = inRoot('target', 'fixtures', 'packs')
  // No rounds: the check of answers needs no times.
  const settings = ['--runs', '0', '--requests', '500', '--limit', '60']
  // gitoxide takes a minute to build, and shows nothing about packlens here.
  const names = ['packlens', 'packlens-cli', 'packlens-isomorphic-git', 'isomorphic-git']
  const engines = ['--engines', names.join()]
  const args = ['--git-dir', repository, ...engines, ...settings]
  await runNode(inRoot('benches', 'run.mjs'), args)
}

/** What later steps read and none of them changes. */
async function published({ quick }) {
  if (quick) return
  await buildViewer()
  await packPackage()
}

async function trap({ quick }) {
  if (!quick) await buildTrapPackage()
}

async function environments({ only }) {
  await vitest('environments', only)
}

async function site({ only }) {
  await buildSite(['--base', testBase], builtForTests)
  await vitest('site', only)
}

/** The exports of the package, and the published files. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as packlens from 'packlens'
import { describe, expect, test } from 'vitest'
import { BUDGETS, sizes, VIEWER } from '../../scripts/lib/sizes.mjs'
import { codeOf, root } from './support.ts'

const settings = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/** Removing or renaming an export breaks users. */
const exported = [
  'Batch',
  'FrameReader',
  'FrameWriter',
  'PacklensError',
  'checkPack',
  'defaultFrameSize',
  'indexPack',
  'isPacklensError',
  'load',
  'minBatchSize',
  'open',
  'openSync',
  'parseLfsPointer',
  'showIndex',
  'storeOf',
]

describe('The package', () => {
  test('exports the same in Node and in browsers', async () => {
    const browser = await import(pathToFileURL(path.join(root, 'dist', 'packlens.js')).href)
    // What the other files of the package import has names of one or two letters.
    const names = (of: object) => Object.keys(of).filter((name) => name.length > 2)
    expect(names(packlens).sort()).toEqual(exported)
    expect(names(browser).sort()).toEqual(exported)
    expect(Object.keys(await import('packlens/slim')).sort()).toEqual(exported)
    // The entry points are independent: an error belongs to the class of its own entry point.
    expect(browser.minBatchSize).toBe(packlens.minBatchSize)
  })

  test('has methods of these names', async () => {
    const methods = (of: object): string[] => {
      const prototype = Object.getPrototypeOf(of)
      if (prototype === Object.prototype) return []
      return [...new Set([...Object.getOwnPropertyNames(prototype), ...methods(prototype)])].sort()
    }
    using repo = await packlens.open({ packs: [] })
    expect(methods(repo)).toMatchSnapshot('Repository')
    expect(methods(repo.refs)).toMatchSnapshot('Refs')
    // Streams need promises; all other methods have the same names in both classes.
    using sync = packlens.openSync({ packs: [] })
    expect([...methods(sync), 'stream'].sort()).toEqual(methods(repo))
    expect(methods(sync.refs)).toEqual(methods(repo.refs))
    const [plan, plannedSync] = [await repo.refs.plan([]), sync.refs.plan([])]
    expect(methods(plannedSync)).toEqual(methods(plan))
    expect(Object.keys(repo.stats()).sort()).toMatchSnapshot('Stats')
  })

  test('keeps the names that stacks and printed objects show, though it is minified', async () => {
    using repo = await packlens.open({ packs: [] })
    using sync = packlens.openSync({ packs: [] })
    const names = [repo, repo.refs, sync, sync.refs].map((object) => object.constructor.name)
    expect(names).toEqual(['Repository', 'Refs', 'SyncRepository', 'SyncRefs'])
    const error = await repo.read('HEAD').catch((error: unknown) => error)
    expect((error as Error).stack).toMatch(/^PacklensError: /)
    expect((error as Error).stack).toContain('at Repository.read ')
  })

  test('has no dependencies', () => {
    expect(settings.dependencies).toBeUndefined()
    expect(Object.keys(settings.peerDependencies)).toEqual(['isomorphic-git'])
    expect(settings.peerDependenciesMeta).toEqual({ 'isomorphic-git': { optional: true } })
    expect(settings.optionalDependencies).toBeUndefined()
  })

  test('has the files that its manifest names', () => {
    const files = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Object.values(value as object).flatMap(files)
    for (const file of [...files(settings.exports), ...files(settings.bin)]) {
      expect(existsSync(path.join(root, file)), file).toBe(true)
    }
    expect(import.meta.resolve('packlens')).toBe(
      pathToFileURL(path.join(root, 'dist', 'node', 'packlens.js')).href,
    )
  })

  test('is published with its two modules, its types, and no sources or tests', async () => {
    const npm = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    const [{ files: all }] = JSON.parse(npm.stdout) as [{ files: { path: string; size: number }[] }]
    // The viewer is there after `npm run build`: tests/environments/serve.test.ts.
    const files = all.filter(({ path }) => path !== VIEWER)
    const names = files.map((file) => file.path)
    expect(names.filter((name) => name.endsWith('.wasm'))).toEqual([
      'dist/wasm/packlens_bg.wasm',
      'dist/wasm/packlens_reader.wasm',
      'dist/wasm/packlens_rest.wasm',
    ])
    for (const name of [
      'package.json',
      'dist/packlens.js',
      'dist/node/packlens.js',
      'dist/api/index.d.ts',
    ]) {
      expect(names).toContain(name)
    }
    const strange = names.filter((name) => {
      return !/^dist\/.*\.(c?js|d\.ts|wasm)$|^(README|LICENSE-\w+)(\.md)?$|^package\.json$/.test(
        name,
      )
    })
    expect(strange).toEqual([])
    // One character beyond Latin-1 makes engines store the whole file in two bytes each.
    const scripts = names.filter((name) => /\.c?js$/.test(name))
    const text = (name: string) => readFileSync(path.join(root, name), 'utf8')
    expect(scripts.filter((name) => !/^[\0-\x7f]*$/.test(text(name)))).toEqual([])
    // Other globals than those of JavaScript and of every browser, and code that is made of text.
    const inPages = scripts.filter((name) => /^dist\/packlens[^/]*\.js$/.test(name))
    expect(inPages.length).toBe(8)
    const strangers = /(?<![\w$.'-])(Buffer|process|require|global|eval|Function)(?![\w$:'-])/
    expect(inPages.filter((name) => strangers.test(text(name)))).toEqual([])
    expect(
      inPages.filter((name) => /import\(|import\.meta|new Worker\(new/.test(text(name))),
    ).toEqual([
      ...['dist/packlens-full.js', 'dist/packlens-worker.js'],
      ...['dist/packlens-workers.js', 'dist/packlens.js'],
    ])
    // A dynamic import inside a bundle puts each module in a function, which is parsed twice.
    expect(scripts.filter((name) => text(name).includes('__esmMin'))).toEqual([])
    const total = files.reduce((sum, { size }) => sum + size, 0)
    expect(total).toBeLessThan(BUDGETS.published.built)
    expect(files.length).toBeLessThan(172)
    // To find what made it grow by function name: docs/performance.md. The cost of its crates:
    // docs/decisions/023-floors-are-crates.md.
    for (const { name, gzip } of await sizes()) {
      const budget = BUDGETS[name as keyof typeof BUDGETS]
      if (budget) expect(gzip, `${name}: npm run size`).toBeLessThan(budget.built)
    }
  })
})

test('load may be called again, and opening does not need it', async () => {
  await packlens.load()
  await Promise.all([packlens.load(), packlens.load()])
  using repo = packlens.openSync({ packs: [] })
  expect(await codeOf(() => repo.read('HEAD'))).toBe('NOT_FOUND')
})

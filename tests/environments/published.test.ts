/** The tarball, as other projects check it: its exports, and the types of each entry. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { publishedDir } from '../../scripts/lib/environments.mjs'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { tool } from './support.ts'

const [name = ''] = readdirSync(publishedDir).filter((file) => file.endsWith('.tgz'))
const tarball = new Uint8Array(readFileSync(path.join(publishedDir, name)))

/** Imports a tool, which is no dependency of this project. */
const imported = (...parts: readonly string[]) => import(pathToFileURL(tool(...parts)).href)

test('publint finds nothing, but a field that Parcel needs', async () => {
  const { publint } = await imported('publint', 'src', 'index-node.js')
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
  // Parcel reads `exports` only if a project says so, and otherwise `browser`.
  const codes = (messages as { code: string }[]).map(({ code }) => code)
  expect(codes).toEqual(['USE_EXPORTS_BROWSER'])
})

test('the types of each entry resolve in every mode, and are those of its script', async () => {
  const { checkPackage, createPackageFromTarballData } = await imported(
    ...['@arethetypeswrong', 'core', 'dist', 'index.js'],
  )
  const { problems, entrypoints } = await checkPackage(createPackageFromTarballData(tarball))
  const modes = ['node10', 'node16-cjs', 'node16-esm', 'bundler']
  const resolved = Object.entries<{ resolutions: Record<string, { resolution?: object }> }>(
    entrypoints,
  ).map(([entry, { resolutions }]) => [
    entry,
    modes.filter((mode) => resolutions[mode]?.resolution !== undefined),
  ])
  const { exports } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  expect(resolved).toEqual(Object.keys(exports).map((entry) => [entry, modes]))
  // `require` of an ES module works in every version of Node that the package supports.
  const kinds = new Set((problems as { kind: string }[]).map(({ kind }) => kind))
  expect([...kinds]).toEqual(['CJSResolvesToESM'])
})

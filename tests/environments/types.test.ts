/** The declarations of the published package, in projects with and without other libraries. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { makeProject, run } from './support.ts'

/** A program that needs only the library of ECMAScript; `Wide` detects the type `any`. */
const program = `
import type { CommitJson, PacklensError, Repository, Signature, SyncRepository } from 'packlens'
import { indexPack, isPacklensError, load, open, openSync } from 'packlens'
import git, { Errors, log, TREE, walk } from 'packlens/isomorphic-git'
import source from 'packlens/packlens_bg.wasm'
import rest from 'packlens/packlens_rest.wasm'
import * as slim from 'packlens/slim'

type Wide<T> = 0 extends 1 & T ? false : true
const isWide: Wide<Parameters<Repository['read']>[1]> & Wide<ReturnType<Repository['stream']>> = true

await load(source)
await load({ wasm: source, rest, worker: '/packlens-worker.js' })
await slim.load({ wasm: new Uint8Array(0) })
const same: typeof open = slim.open
const repo = await same({ packs: [] }, { worker: isWide })
const author: Signature = (await repo.readCommit('HEAD')).author
const names: readonly string[] = openSync({ packs: [] }).readTree('HEAD').entries.map(({ name }) => name)
for await (const chunk of repo.stream('HEAD:video.mp4')) {
  const length: number = chunk.byteLength
  if (length > names.length) break
}
const { idx } = await indexPack(repo.stream('pack'), { repository: 'https://host/project.git' })
try {
  using other = openSync({ packs: [{ pack: idx }], refs: { HEAD: author.name } })
  await other.readMany(['HEAD'])
} catch (error) {
  const known: PacklensError | undefined = isPacklensError(error, 'NOT_FOUND') ? error : undefined
  if (!known) throw error
}
const sync: SyncRepository = openSync({ packs: [] })
for (const oid of sync.revList('HEAD')) names.includes(oid)
for (const { name } of sync.refs.list()) names.includes(name)
for (const { message } of sync.log('HEAD', { limit: 1 })) names.includes(message)
declare const fs: import('packlens').FsClient
const [newest] = await log({ fs, dir: '/project', depth: 1 })
const zone: number | undefined = newest?.commit.author.timezoneOffset
const walked: unknown[] = await walk({ fs, dir: '/project', trees: [TREE({ ref: 'main' })] })
const isMissing: boolean = newest instanceof Errors.NotFoundError || walked.length === zone
// @ts-expect-error: an id is required
if (isMissing) await git.readBlob({ fs, dir: '/project' })
// @ts-expect-error: nothing is written
const written: string = git.commit({ fs, dir: '/project', message: 'x' })
const json: CommitJson = (await repo.readCommit('HEAD')).toJSON()
const readme: string = sync.readBlob('HEAD:README.md').text()
const hasLink: boolean = sync.readTree(json.tree).entries.some(({ isSymlink }) => isSymlink)
// @ts-expect-error: only blobs are text
sync.readTree(hasLink ? readme : 'HEAD').text()
// @ts-expect-error: streams need promises
sync.stream('HEAD')
// @ts-expect-error: synchronous answers are no promises
sync.read('HEAD').then(() => {})
// @ts-expect-error: synchronous methods have no other names
sync.readSync('HEAD')
// @ts-expect-error: the two classes differ
const promising: Repository = sync
// @ts-expect-error: an asynchronous list needs a for-await loop
for (const oid of repo.revList('HEAD')) names.includes(oid)
// @ts-expect-error: a signal has more members
await repo.read('HEAD', { signal: { aborted: false } })
// @ts-expect-error: no such option
await repo.read('HEAD', { signals: undefined })
`

/** A program that needs the libraries' own types. */
const withLibraries = `
${program}
const controller = new AbortController()
await repo.read('HEAD', { signal: controller.signal })
const stream: ReadableStream<Uint8Array<ArrayBuffer>> = repo.stream('HEAD')
const { body } = await fetch('https://host/incoming.pack')
if (body) await indexPack(body)
await open(new URL('https://host/project.git'), { http: { fetch: (url, init) => fetch(url, init) } })
await open({ packs: [{ pack: new Blob([idx]) }] })
await load(new URL('https://host/packlens_bg.wasm'))
await load(await fetch('https://host/packlens_bg.wasm'))
await stream.cancel()
`

const withDom = `
${withLibraries}
declare const input: HTMLInputElement
if (input.files) await open(input.files)
await open(await navigator.storage.getDirectory())
await load(await WebAssembly.compileStreaming(fetch('/packlens_bg.wasm')))
`

/** A program in CommonJS, which requires the ES modules. */
const inCommonJs = `
import packlens = require('packlens')
import git = require('packlens/isomorphic-git')
import { openSync } from 'packlens/slim'
const names: readonly string[] = packlens.openSync({ packs: [] }).readTree('HEAD').entries.map(({ name }) => name)
export const tree = git.TREE({ ref: openSync({ packs: [] }).read(names[0] ?? 'HEAD').oid })
`

const dom = ['dom', 'dom.iterable', 'dom.asynciterable']

test.each([
  ['es2022 alone', program, ['es2022'], []],
  ["the DOM's library", withDom, ['es2022', ...dom], []],
  ["Node's types", withLibraries, ['es2022'], ['node']],
  ['both', withDom, ['es2022', ...dom], ['node']],
])('Declarations compile with %s', async (name, text, lib, types) => {
  // TypeScript's own libraries are not checked: most of the time would be theirs.
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ skipDefaultLibCheck: true, noEmit: true, target: 'es2022', lib, types },
    typeRoots: [inRoot('node_modules', '@types')],
  }
  const asNode = { ...compilerOptions, module: 'nodenext' }
  const asPage = { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' }
  const folder = makeProject(`types-${name.replace(/\W+/g, '-')}`, {
    'program.ts': text,
    'program.cts': inCommonJs,
    'node.json': JSON.stringify({ compilerOptions: asNode, files: ['program.ts', 'program.cts'] }),
    'page.json': JSON.stringify({ compilerOptions: asPage, files: ['program.ts'] }),
  })
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc')
  for (const project of ['node.json', 'page.json']) {
    const { stdout } = await run(folder, process.execPath, [tsc, '-p', path.join(folder, project)])
    expect(stdout, project).toBe('')
  }
})

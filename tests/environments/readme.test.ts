/** The snippets of README and docs: each compiles under TypeScript's strict rules, and runs. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { openSync } from 'packlens'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { rawFiles } from '../../scripts/lib/raw-files.mjs'
import { SCRIPTS, snippetsIn } from '../../scripts/lib/site/snippets.mjs'
import { fixture, folderOf } from '../node/support.ts'
import { page, serve, useBrowser } from './page.ts'
import { makeProject, run, tool } from './support.ts'

const main = folderOf(fixture('main'))

const snippets = snippetsIn(SCRIPTS)

/** Whole pages. */
const pages = snippetsIn('html').filter(({ text }) => text.startsWith('<!doctype html>'))

/** Snippets that need a page: the others run in Node. */
const needsPage = (text: string) => /showDirectoryPicker|'\/assets\//.test(text)

const packName = readdirSync(path.join(main, 'objects', 'pack')).find((name) => {
  return name.endsWith('.pack')
}) as string

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Answers as the servers that the README names: with files, by ranges. */
function answers(): Server {
  let files: Handler = () => {}
  const use = (handler: Handler) => {
    files = handler
  }
  rawFiles('/target/fixtures/').configureServer({ middlewares: { use } })
  return createServer((request, response) => {
    const { url = '' } = request
    if (url === '/missing') response.end()
    request.url = url
      .replace('/project.git/', '/target/fixtures/served/')
      .replace('/incoming.pack', `/target/fixtures/main/objects/pack/${packName}`)
    if (url !== '/missing') files(request, response, () => response.writeHead(404).end())
  })
}

const server = answers()
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

test('Snippets compile under strict rules', async () => {
  expect([snippets.length, pages.length]).toEqual([86, 1])
  const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable']
  const files = {
    ...Object.fromEntries(snippets.map(({ text }, at) => [`snippet-${at}.ts`, text])),
  }
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2022' },
    ...{ module: 'nodenext', moduleDetection: 'force', lib, types: ['node'] },
    typeRoots: [inRoot('node_modules', '@types')],
  }
  const settings = JSON.stringify({ compilerOptions, files: Object.keys(files) })
  const folder = makeProject('readme-types', { ...files, 'tsconfig.json': settings })
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await run(folder, process.execPath, [tsc, '-p', folder])
  expect(stdout).toBe('')
})

/** Returns a snippet as a program that reads fixtures in place of what it names. */
function asProgram(text: string): string {
  const local = text
    .replace("'/worktree.git'", JSON.stringify(inRoot('target/fixtures/index-files/v2')))
    .replace("'/project'", JSON.stringify(inRoot('target/fixtures/worktree/repo')))
    .replace("'/project.bundle'", JSON.stringify(inRoot('target/fixtures/bundles/whole-v2.bundle')))
    .replaceAll(/(?<=open(?:Sync)?\(|Source = )'\.'|'\/[a-z]+\.git'/g, JSON.stringify(main))
    .replace(/(?<=org\/project.*)HEAD:README.md/s, 'HEAD:folder/1.txt')
    .replaceAll('https://example.org', url)
  return ts.transpileModule(local, { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
    .outputText
}

describe('A snippet runs in Node:', () => {
  const programs = snippets.filter(({ text }) => !needsPage(text))
  const nameOf = (name: string) => `${name.replace(/\W+/g, '-')}.mjs`
  let folder = ''

  beforeAll(() => {
    const files = programs.map(({ name, text }) => [nameOf(name), asProgram(text)])
    folder = makeProject('readme-node', Object.fromEntries(files))
  })

  test.each(programs)('$name', async ({ name, text }) => {
    const { status, stdout, stderr } = await run(folder, process.execPath, [nameOf(name)])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(text.includes('console.log') ? /./ : /^$/)
  })
})

describe('A snippet runs in a page:', () => {
  const open = useBrowser()

  test.each(snippets.filter(({ text }) => needsPage(text)))('$name', async ({ text }) => {
    const build = `
      import { build } from ${JSON.stringify(tool('esbuild', 'lib', 'main.js'))}
      await build({ entryPoints: ['page.ts'], bundle: true, format: 'esm', outdir: 'out', target: 'es2022' })
    `
    // The picker returns a folder of OPFS with a repository.
    const picker = `
      import { files } from './files.js'
      async function folder(at: FileSystemDirectoryHandle, [name, ...rest]: string[], bytes: Uint8Array): Promise<void> {
        if (rest.length > 0) return folder(await at.getDirectoryHandle(name, { create: true }), rest, bytes)
        const writable = await (await at.getFileHandle(name, { create: true })).createWritable()
        await writable.write(bytes)
        await writable.close()
      }
      window.showDirectoryPicker = async () => {
        const root = await navigator.storage.getDirectory()
        for (const [name, text] of files) {
          const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
          await folder(root, name.split('/'), bytes)
        }
        return root
      }
    `
    const pack = `objects/pack/${packName}`
    const names = ['HEAD', 'config', 'packed-refs', pack, pack.replace(/pack$/, 'idx')]
    const contents = names.map((name) => [name, readFileSync(path.join(main, name), 'base64')])
    const project = makeProject('readme-page', {
      'files.js': `export const files = ${JSON.stringify(contents)}`,
      'page.ts': `${picker}\n${text.replace(/^import .*$/m, '')}\nwindow.answer = 'done'`.replace(
        /^/,
        "import * as packlens from 'packlens'\nconst { load, open } = packlens\n",
      ),
      'index.html': page,
      'build.mjs': build,
    })
    expect(await run(project, process.execPath, ['build.mjs'])).toMatchObject({ status: 0 })
    const [out, dist] = [
      path.join(project, 'out'),
      path.join(project, 'node_modules/packlens/dist'),
    ]
    mkdirSync(path.join(out, 'assets'), { recursive: true })
    cpSync(path.join(project, 'index.html'), path.join(out, 'index.html'))
    for (const to of [out, path.join(out, 'assets')]) {
      cpSync(path.join(dist, 'packlens-worker.js'), path.join(to, 'packlens-worker.js'))
      for (const name of ['packlens_bg.wasm', 'packlens_reader.wasm', 'packlens_rest.wasm']) {
        cpSync(path.join(dist, 'wasm', name), path.join(to, name))
      }
    }
    cpSync(path.join(dist, 'wasm'), path.join(out, 'wasm'), { recursive: true })
    const site = await serve(out)
    try {
      expect(await open(site.url)).toBe('done')
    } finally {
      site.close()
    }
  })
})

describe('A page opens the repository that a user picks:', () => {
  const open = useBrowser()

  test.each(pages)('$name', async ({ text }) => {
    const project = makeProject('readme-document', { 'index.html': text })
    const site = await serve(project)
    try {
      const shown = await open(site.url, async (page) => {
        await page.locator('input[webkitdirectory]').setInputFiles(main)
        await page.locator('pre:not(:empty)').waitFor()
        return page.locator('pre').textContent()
      })
      const { author, message } = openSync(main).readCommit('HEAD')
      expect(shown).toBe(`${author.name}: ${message}`)
    } finally {
      site.close()
    }
  })
})

/** The published package in runtimes that are npm packages, each of a pinned version. */
import { chownSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Answer } from './support.ts'
import { expected, makeProject, run, tool } from './support.ts'

const program = `
import * as fs from 'node:fs'
import { open, openSync } from 'packlens'
import { readAll } from './read-all.js'
import { repository } from './repository.js'

const callbacks = { ...fs, promises: undefined }
console.log(JSON.stringify({
  path: await readAll(openSync('repository.git')),
  worker: await readAll(await open('repository.git', { worker: true })),
  promises: await readAll(await open({ fs, gitdir: 'repository.git' })),
  callbacks: await readAll(await open({ fs: callbacks, gitdir: 'repository.git' })),
  memory: await readAll(await open(repository)),
}))
`

const inCommonJs = `
const { readFileSync } = require('node:fs')
const { openSync } = require('packlens')
const slim = require('packlens/slim')
const git = require('packlens/isomorphic-git')
async function answers() {
  const { readAll } = await import('./read-all.js')
  const { repository } = await import('./repository.js')
  const bytesOf = (name) => readFileSync(require.resolve('packlens/' + name))
  await slim.load({ wasm: bytesOf('packlens_bg.wasm'), rest: bytesOf('packlens_rest.wasm') })
  const fs = require('node:fs')
  return {
    path: await readAll(openSync('repository.git')),
    slim: await readAll(slim.openSync(repository)),
    git: await git.resolveRef({ fs, gitdir: 'repository.git', ref: 'HEAD' }),
  }
}
answers().then((found) => console.log(JSON.stringify(found)))
`

const runtimes: Record<string, readonly string[]> = {
  // The oldest version that the package supports.
  'node-20': [tool('node-20', 'bin', 'node')],
  'node-22': [tool('node-22', 'bin', 'node')],
  'node-24': [tool('node-24', 'bin', 'node')],
  bun: [tool('@oven', 'bun-linux-x64-baseline', 'bin', 'bun')],
  deno: [tool('@deno', 'linux-x64-glibc', 'deno'), 'run', '--allow-all'],
}

const cli = path.join('node_modules', 'packlens', 'dist', 'node', 'cli', 'packlens.cjs')
const catFile = [cli, '--git-dir', 'repository.git', 'cat-file', '-p', 'HEAD:short.txt']

describe.each(Object.entries(runtimes))('%s', (name, [command = '', ...flags]) => {
  // On other platforms npm installs none of them: their packages are for Linux on x64.
  const isHere = existsSync(command) || (process.platform === 'linux' && process.arch === 'x64')

  test.runIf(isHere)('reads a path, here and in a worker, and through `fs`', async () => {
    const folder = makeProject(name, { 'program.js': program })
    const { status, stdout, stderr } = await run(folder, command, [...flags, 'program.js'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const answers = JSON.parse(stdout) as Record<string, Answer>
    expect(Object.keys(answers).length).toBe(5)
    for (const [source, answer] of Object.entries(answers)) expect(answer, source).toEqual(expected)
  })

  test.runIf(isHere)('reads in CommonJS, by `require`', async () => {
    const folder = makeProject(name, { 'program.cjs': inCommonJs })
    const { status, stdout, stderr } = await run(folder, command, [...flags, 'program.cjs'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const read = { path: expected, slim: expected, git: expected.commit }
    expect(JSON.parse(stdout)).toEqual(read)
  })

  test.runIf(isHere)('runs the command line', async () => {
    const folder = makeProject(name, {})
    const caches = { XDG_CACHE_HOME: path.join(folder, 'caches') }
    mkdirSync(caches.XDG_CACHE_HOME)
    const answer = await run(folder, command, [...flags, ...catFile], caches)
    expect(answer).toEqual({ status: 0, stdout: expected.text, stderr: '' })
  })
})

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('compiled code', () => {
  const node = tool('node-22', 'bin', 'node')
  const answer = { status: 0, stdout: expected.text, stderr: '' }
  // Node names the folders in it by its version and the user.
  const kept = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

  test('is kept in the cache of the user', async () => {
    const home = makeProject('code-of-user', {})
    const caches = path.join(home, '.cache', 'packlens')
    const variables = { HOME: home, XDG_CACHE_HOME: 'relative', NODE_COMPILE_CACHE: '' }
    const off = { ...variables, NODE_DISABLE_COMPILE_CACHE: '1' }
    expect(await run(home, node, catFile, off)).toEqual(answer)
    expect(existsSync(caches)).toBe(false)
    expect(await run(home, node, catFile, variables)).toEqual(answer)
    expect(kept(caches).length).toBeGreaterThan(0)
    expect(await run(home, node, catFile, variables)).toEqual(answer)
  })

  test('is not kept in the folder of another user, nor in one that does not exist', async () => {
    const folder = makeProject('code-of-others', {})
    const home = path.join(folder, 'home')
    mkdirSync(home)
    // Only the superuser can give a folder away; for others that of the superuser is another's.
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(home, 1, 1)
    const others = isRoot ? home : '/'
    expect(statSync(others).uid).not.toBe(process.getuid?.())
    for (const HOME of [others, path.join(folder, 'missing')]) {
      const variables = { HOME, XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '' }
      expect(await run(folder, node, catFile, variables)).toEqual(answer)
      expect(existsSync(path.join(HOME, '.cache', 'packlens'))).toBe(false)
    }
  })
})

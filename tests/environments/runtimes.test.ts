/** The published package in runtimes that are npm packages, each of a pinned version. */
import { existsSync } from 'node:fs'
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
    const cli = path.join('node_modules', 'packlens', 'dist', 'node', 'cli', 'packlens.cjs')
    const args = [cli, '--git-dir', 'repository.git', 'cat-file', '-p', 'HEAD:short.txt']
    const { status, stdout, stderr } = await run(folder, command, [...flags, ...args])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: expected.text, stderr: '' })
  })
})

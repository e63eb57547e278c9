/** The published package in workerd, which compiles an imported module. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { expected, makeProject, run, tool } from './support.ts'

const program = `
import wasm from './core.wasm'
import rest from './rest.wasm'
import { load, open } from 'packlens'
import { readAll } from './read-all.js'
import { repository } from './repository.js'

export default {
  async test() {
    await load({ wasm, rest })
    console.log('answer ' + JSON.stringify(await readAll(await open(repository))))
  },
}
`

const build = `
import { build } from ${JSON.stringify(tool('esbuild', 'lib', 'main.js'))}
await build({
  entryPoints: ['program.js'],
  outfile: 'out.js',
  bundle: true,
  format: 'esm',
  external: ['./core.wasm', './rest.wasm'],
})
`

const config = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .program)]);
const program :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "program.js", esModule = embed "out.js"),
    (name = "core.wasm", wasm = embed "node_modules/packlens/dist/wasm/packlens_bg.wasm"),
    (name = "rest.wasm", wasm = embed "node_modules/packlens/dist/wasm/packlens_rest.wasm"),
  ],
);
`

const workerd = tool('@cloudflare', 'workerd-linux-64', 'bin', 'workerd')
// On other platforms npm does not install it: its package is for Linux on x64.
const isHere = existsSync(workerd) || (process.platform === 'linux' && process.arch === 'x64')

test.runIf(isHere).each(['packlens', 'packlens/slim'])('workerd reads, by %s', async (entry) => {
  const files = {
    'program.js': program.replace("'packlens'", `'${entry}'`),
    'build.mjs': build,
    'config.capnp': config,
  }
  const folder = makeProject('workerd', files)
  expect(await run(folder, process.execPath, ['build.mjs'])).toMatchObject({ status: 0 })
  const ended = await run(folder, workerd, ['test', path.join(folder, 'config.capnp')])
  expect(ended).toMatchObject({ status: 0 })
  const [, answer = 'null'] = /^answer (.*)$/m.exec(ended.stdout + ended.stderr) ?? []
  expect(JSON.parse(answer)).toEqual(expected)
})

#!/usr/bin/env node
// npm start, npm test and the other commands: each does the missing set-up,
// then its job. Neither this file nor its imports may import an npm package
// statically, because none may be installed yet.
import { serveDemo } from './lib/demo.mjs'
import { inRoot, wasmTarget } from './lib/paths.mjs'
import { addRustComponents, addRustTargets } from './lib/setup.mjs'
import { endChildrenOnSignals, Failure, run, runNode } from './lib/shell.mjs'
import { buildSite } from './lib/site/build.mjs'
import { printSizes } from './lib/sizes.mjs'
import { prepare, steps } from './lib/steps.mjs'
import { listSteps, runSteps } from './lib/test-run.mjs'
import { buildPackage } from './lib/typescript.mjs'
import { buildViewer } from './lib/viewer-archive.mjs'
import { buildBindingsTool, buildWasm } from './lib/wasm.mjs'

const commands = { start, test, check, build, docs, lint, format }

async function start(flags) {
  await makePackage()
  await serveDemo(flags)
}

async function test(names) {
  if (names.includes('--list')) return listSteps()
  if (!(await runSteps(names))) process.exitCode = 1
}

async function check() {
  const names = [...steps.filter((step) => step.lint).map((step) => step.name), 'native', 'node']
  if (!(await runSteps(names, { quick: true }))) process.exitCode = 1
}

async function build() {
  await makePackage({ release: true })
  await buildViewer()
  await printSizes()
}

async function docs(flags) {
  await makePackage()
  await buildSite(flags)
}

function lint() {
  return test(steps.filter((step) => step.lint).map((step) => step.name))
}

async function format() {
  await prepare()
  await addRustComponents()
  await run('cargo', ['fmt', '--all'])
  const biome = inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  await runNode(biome, ['check', '--write'])
}

async function makePackage(options) {
  console.log('Set-up and build')
  await prepare()
  await addRustTargets([wasmTarget])
  await buildBindingsTool()
  await buildWasm(options)
  await buildPackage()
}

endChildrenOnSignals()
const [name, ...args] = process.argv.slice(2)
try {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : null
  if (!command) throw new Failure(`usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`)
  await command(args)
} catch (error) {
  console.error(error instanceof Failure ? `\npacklens: ${error.message}` : error)
  process.exitCode = 1
}

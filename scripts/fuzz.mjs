#!/usr/bin/env node
// Runs fuzz targets, one after the other, and installs what they need.
//
//   npm run fuzz -- [target ...] [seconds] [--sanitizer none|address]
//
// A finding is stored in the corpus, fuzz/corpus/<target>/found-…, where every test
// run uses it from then on. Inputs that only widen the corpus are stored in target/fuzz.
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { inRoot, targetDir } from './lib/paths.mjs'
import { addCargoTool, addToolchain, checkRust, installNpmPackages } from './lib/setup.mjs'
import { endChildrenOnSignals, Failure, run, runNode } from './lib/shell.mjs'

/** An input that takes longer than this many seconds, or more than this many MB, is a finding. */
const timeout = 10
const memory = 512
/** With a sanitizer that sees each allocation, one of this many MB is a finding too. */
const allocation = 64

const corpus = inRoot('fuzz', 'corpus')
const all = readdirSync(corpus)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sanitizer: { type: 'string', default: 'none' } },
})
const seconds = positionals.find((text) => /^\d+$/.test(text)) ?? '60'
const named = positionals.filter((text) => text !== seconds)

endChildrenOnSignals()
try {
  const unknown = named.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Failure(`no target ${unknown}: there are ${all.join(', ')}`)
  await installNpmPackages()
  checkRust()
  await addToolchain('nightly')
  await addCargoTool('fuzz', 'cargo-fuzz')
  await runNode(inRoot('tests', 'fixtures', 'unpack.mjs'))
  for (const target of named.length > 0 ? named : all) await fuzz(target)
} catch (error) {
  console.error(error instanceof Failure ? `\npacklens: ${error.message}` : error)
  process.exitCode = 1
}

async function fuzz(target) {
  const wider = path.join(targetDir, 'fuzz', target)
  const own = path.join(corpus, target)
  mkdirSync(wider, { recursive: true })
  const limits = [
    `-max_total_time=${seconds}`,
    `-timeout=${timeout}`,
    `-rss_limit_mb=${memory}`,
    `-malloc_limit_mb=${allocation}`,
    '-max_len=4096',
    '-print_final_stats=1',
    `-artifact_prefix=${path.join(own, 'found-')}`,
  ]
  const cargo = ['+nightly', 'fuzz', 'run', '--sanitizer', values.sanitizer, target, wider, own]
  await run('cargo', [...cargo, '--', ...limits])
}

// Stores the figures of a run, with the machine and the commit.
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { recall } from '../../scripts/lib/fingerprint.mjs'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { outputOf } from '../../scripts/lib/shell.mjs'

export function factsOf({ gitDir, name, runs, shapes }, shape) {
  const [cpu] = os.cpus()
  const of = name ?? path.basename(path.resolve(gitDir)).replace(/\.git$/, '')
  return {
    name: shapes ? `${of}-${shape}` : of,
    date: new Date().toISOString().slice(0, 10),
    // A checkout need not be a repository, and may have uncommitted changes.
    commit: outputOf('git', ['rev-parse', 'HEAD']) ?? 'no-commit',
    changed: outputOf('git', ['status', '--porcelain']) !== '',
    optimised: recall('bindings').optimised === true,
    rounds: runs,
    machine: {
      cpu: cpu.model,
      cores: os.cpus().length,
      memory: os.totalmem(),
      system: `${os.type()} ${os.release()} ${os.arch()}`,
      load: os.loadavg()[0],
    },
  }
}

export function writeRecord(record) {
  const folder = inRoot('benches', 'record')
  mkdirSync(folder, { recursive: true })
  const file = `${record.date}-${record.commit.slice(0, 7)}-${record.name}.json`
  writeFileSync(path.join(folder, file), `${JSON.stringify(record, null, 1)}\n`)
  return path.join('benches', 'record', file)
}

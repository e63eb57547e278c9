/** The examples of the README work. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ErrorCode } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import * as fullTables from '../../js/src/options/full-tables.ts'
import * as tables from '../../js/src/options/tables.ts'
import { fixture, folderOf, root } from './support.js'

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const repository = folderOf(fixture('main'))

function blocks(language: string): string[] {
  const found = readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))
  return Array.from(found, (match) => match[1] as string)
}

/** Returns the names that a pattern with braces stands for. */
function asShellsDo(arg: string): string[] {
  if (!arg.includes('*')) return [arg]
  const [before = '', ending = ''] = path.basename(arg).split('*')
  const folder = path.dirname(arg)
  const names = readdirSync(path.join(repository, folder))
  const fitting = names.filter((name) => name.startsWith(before) && name.endsWith(ending))
  return fitting.map((name) => `${folder}/${name}`)
}

describe('The README', () => {
  test('has a script for Node that runs', () => {
    const script = blocks('js').find((block) => block.includes("openSync('.')")) as string
    const inRepository = script.replace("openSync('.')", `openSync(${JSON.stringify(repository)})`)
    const args = ['--input-type=module', '--eval', inRepository]
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
    })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    expect(stdout).toMatch(/^0 missing\n1 tag\n2 missing\n$/m)
  })

  test('has commands that run', () => {
    const lines = blocks('sh').flatMap((block) => block.match(/^npx packlens .*$/gm) ?? [])
    expect(lines.length).toBe(17)
    for (const line of lines) {
      const args = line.split(' ').slice(2).flatMap(asShellsDo)
      const cli = path.join(root, 'dist', 'node', 'cli', 'packlens.cjs')
      const { stdout, status } = spawnSync(process.execPath, [cli, ...args], { cwd: repository })
      expect(status, line).toBe(0)
      expect(stdout.length, line).toBeGreaterThan(10)
    }
  })

  test('names existing methods', async () => {
    using promising = await open(repository)
    using sync = openSync(repository)
    const table = readme.slice(readme.indexOf('| method |'), readme.indexOf('All take a `signal`'))
    const names = Array.from(table.matchAll(/`([a-z.A-Z]+)\(/g), (match) => match[1] as string)
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      const [first, second] = name.split('.') as [keyof typeof sync, 'list' | 'get' | undefined]
      for (const repo of name === 'stream' ? [promising] : [promising, sync]) {
        const method = second ? repo.refs[second] : repo[first]
        expect(typeof method, name).toBe('function')
      }
    }
  })

  test('names every option', () => {
    const exported: unknown[] = [tables, fullTables].flatMap((of) => Object.values(of))
    // Rules that both files use are exported too.
    const all = exported.filter((one) => typeof one === 'object' && one && !('fits' in one))
    const options = new Set(all.flatMap((table) => Object.keys(table as object)))
    expect(options.size).toBeGreaterThan(60)
    const missing = [...options].filter(
      (option) => !readme.match(`\`[^\`\n]*\\b${option}\\b[^\`\n]*\``),
    )
    expect(missing).toEqual([])
  })

  test('names all error codes', () => {
    const codes: Record<ErrorCode, true> = {
      NOT_FOUND: true,
      PROMISED: true,
      AMBIGUOUS: true,
      WRONG_TYPE: true,
      CORRUPT: true,
      UNSUPPORTED: true,
      LIMIT: true,
      CHANGED: true,
      NETWORK: true,
      SOURCE: true,
      BAD_INPUT: true,
      ABORTED: true,
      CLOSED: true,
      INTERNAL: true,
    }
    for (const code of Object.keys(codes)) expect(readme).toContain(`\`${code}\``)
  })
})

/** `tools/split`, which cuts the full module in two files, with a module that has little in it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { splitTool } from '../../scripts/lib/wasm.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-split-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => path.join(folder, name)
const RELOCATED = ['-C', 'link-arg=--emit-relocs']
const NAMED = ['-C', 'symbol-mangling-version=v0']

/** Compiles the module, and returns its file. */
function linked(name: string, ...flags: string[]): string {
  const source = path.join(import.meta.dirname, 'split', 'linked.rs')
  const how = ['--edition=2021', '--crate-type=cdylib', '--target=wasm32-unknown-unknown']
  const args = [...how, '-Copt-level=2', '-Cpanic=abort', ...flags, source, '-o', at(name)]
  const { status, stderr } = spawnSync('rustc', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return at(name)
}

function split(module: string, first: string, rest: string): { status: number; error: string } {
  const args = [module, module, at(first), at(rest)]
  const { status, stderr } = spawnSync(splitTool, args, { encoding: 'utf8' })
  return { status: status ?? -1, error: stderr }
}

interface Exports {
  readonly first: (at: number) => number
  readonly late: (at: number) => number
}

const modules = (name: string) => new WebAssembly.Module(readFileSync(at(name)))
const exportsOf = (name: string) =>
  new WebAssembly.Instance(modules(name)).exports as WebAssembly.Exports & Exports
const contains = (name: string, text: string) => readFileSync(at(name)).includes(text)

describe('a module in two files', () => {
  const numbers = Array.from({ length: 40 }, (_, number) => number)
  let whole: Exports
  beforeAll(() => {
    whole = exportsOf(path.basename(linked('whole.wasm', ...RELOCATED, ...NAMED)))
    expect(split(at('whole.wasm'), 'first.wasm', 'rest.wasm')).toEqual({ status: 0, error: '' })
  })

  test('the first one answers what needs no other, and traps at what does', () => {
    const { first, late } = exportsOf('first.wasm')
    expect(numbers.map(first)).toEqual(numbers.map(whole.first))
    expect(() => late(1)).toThrow(WebAssembly.RuntimeError)
  })

  test('with the rest all is answered', () => {
    const first = exportsOf('first.wasm')
    new WebAssembly.Instance(modules('rest.wasm'), { 0: first })
    expect(numbers.map(first.late)).toEqual(numbers.map(whole.late))
    expect(numbers.map(first.first)).toEqual(numbers.map(whole.first))
    expect(first.late(0)).not.toBe(first.late(1))
  })

  test('what only the rest reaches is nowhere else, also behind a table of functions', () => {
    // Functions have the names that profiles show.
    for (const text of ['rest::in_rest', 'Late as', 'data of the rest']) {
      expect(contains('rest.wasm', text), text).toBe(true)
    }
    expect(contains('whole.wasm', 'data of the rest')).toBe(true)
    expect(contains('first.wasm', 'data of the rest')).toBe(false)
    expect(contains('first.wasm', 'Late as')).toBe(false)
    for (const text of ["the first's data", 'common to both!!']) {
      expect(contains('first.wasm', text), text).toBe(true)
      expect(contains('rest.wasm', text), text).toBe(false)
    }
  })

  test('the rest of another build does not fit', () => {
    linked('other.wasm', ...RELOCATED, ...NAMED, '-Cdebug-assertions=on', '-Copt-level=1')
    expect(split(at('other.wasm'), 'other-first.wasm', 'other-rest.wasm').status).toBe(0)
    const first = exportsOf('other-first.wasm')
    const join = () => new WebAssembly.Instance(modules('rest.wasm'), { 0: first })
    expect(join).toThrow(WebAssembly.LinkError)
  })
})

test.each([
  ['no relocations', NAMED, 'link it with --emit-relocs'],
  [
    'nothing in the rest',
    [...RELOCATED, ...NAMED, '--cfg=feature="whole"'],
    'no function is named',
  ],
])('a module with %s is refused', (name, flags, message) => {
  const file = `${name.replaceAll(' ', '-')}.wasm`
  const { status, error } = split(linked(file, ...flags), 'a.wasm', 'b.wasm')
  expect(error).toMatch(/^packlens-split: /)
  expect(error).toContain(message)
  expect(status).toBe(1)
})

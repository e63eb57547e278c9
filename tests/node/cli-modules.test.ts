/**
 * Short commands open a repository with the reader, which is compiled sooner than the full module.
 * This file has a thread of its own, where no other test has loaded the full one.
 */
import { describe, expect, test } from 'vitest'
import { environmentOf as environmentOfIo } from '../../dist/node/cli/base/environment.js'
import { processIo } from '../../dist/node/cli/base/io.js'
import { moduleFor, moduleOf } from '../../dist/node/cli/base/module.js'
import { openReader } from '../../dist/node/cli/repository/reader.js'
import { pathStore } from '../../dist/node/path-store.js'
import { currentInstance } from '../../dist/session/modules.js'
import { run, unpacked } from './cli-support.js'

const head = `${run('main', ['rev-parse', 'HEAD']).stdout}`.trim()

test.each([
  ['rev-parse', 'HEAD', 'HEAD^', 'HEAD~2^{tree}', head.slice(0, 7)],
  ['rev-parse', '--abbrev-ref', 'HEAD'],
  ['rev-parse', '--all'],
  ['cat-file', '-p', 'HEAD'],
  ['cat-file', '-t', 'HEAD^{tree}'],
  ['ls-tree', 'HEAD'],
])('the reader answers %s %s', (...args) => {
  expect(run('main', args).exit).toBe(0)
  expect(currentInstance().isFull).toBe(false)
})

test('a question that it does not answer is answered by the full module', () => {
  const io = processIo()
  const place = `${unpacked}/main`
  const reader = openReader(pathStore(place), io, environmentOfIo(io), 'reader')
  const content = () => {
    let size = 0
    reader.stream(head, (chunk) => {
      size += chunk.byteLength
    })
    return [size, reader.info(head), reader.resolve('HEAD')]
  }
  const before = content()
  expect(currentInstance().isFull).toBe(false)
  const short = reader.abbreviate(head, 0)
  expect(currentInstance().isFull).toBe(true)
  expect(content()).toEqual(before)
  expect(`${run('main', ['rev-parse', '--short', 'HEAD']).stdout}`).toBe(`${short}\n`)
  reader.close()
})

describe('the module is chosen', () => {
  test.each([
    ['HEAD', 'reader'],
    ['HEAD~3..main^{tree}', 'reader'],
    ['HEAD:a/b', 'reader'],
    ['--verify', 'reader'],
    ['main@{1}', 'full'],
    ['@{u}', 'full'],
    [':/message', 'full'],
    [':file', 'full'],
    ['HEAD^{/message}', 'full'],
    ['a...b', 'full'],
    ['--short', 'full'],
    ['--short=9', 'full'],
  ])('by the revision %s: %s', (spec, module) => {
    expect(moduleFor(['HEAD', spec])).toBe(module)
  })

  test.each([
    ['[core]\n\tbare = true\n', 'reader'],
    ['[remote "origin"]\n\tpromisor = true\n', 'full'],
    ['[extensions]\n\trefStorage = reftable\n', 'full'],
    ['[extensions]\n\tpartialClone = origin\n', 'full'],
  ])('by the configuration %j: %s', (config, module) => {
    expect(moduleOf(config, 'reader')).toBe(module)
  })
})

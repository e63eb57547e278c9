/** The examples for Node do what their READMEs say. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { environment, root, run, unpacked } from './cli-support.ts'

function example(name: string, ...args: string[]): string {
  const script = path.join(root, 'examples', name)
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], {
    env: environment,
    timeout: 30_000,
  })
  expect([status, stderr.toString()]).toEqual([0, ''])
  return stdout.toString()
}

test.each([
  ['main', 25],
  ['sha256', 3],
])('the largest blobs of %s are those that git lists', (name, count) => {
  const there = path.join(unpacked, name)
  const format = '%(objecttype) %(objectsize) %(objectsize:disk) %(objectname)'
  const all = run(there, ['cat-file', `--batch-check=${format}`, '--batch-all-objects']).stdout
  const blobs = all
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('blob '))
    .map((line) => line.split(' ').slice(1))
    .sort(([one, , first = ''], [other, , second = '']) =>
      one === other ? (first < second ? -1 : 1) : Number(other) - Number(one),
    )
  const named = new Map(
    run(there, ['rev-list', '--all', '--objects'])
      .stdout.toString()
      .split('\n')
      .map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]),
  )
  const expected = blobs.slice(0, count).map(([size, disk, oid = '']) => {
    return `${size}\t${disk}\t${oid}\t${named.get(oid) ?? '(unreachable)'}\n`
  })
  expect(expected.length).toBe(count)
  expect(example('largest-blobs/largest-blobs.mjs', there, `${count}`)).toBe(expected.join(''))
})

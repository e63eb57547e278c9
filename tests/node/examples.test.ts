/** The examples for Node do what their READMEs say. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { signedFetch } from '../../examples/edge-function/sign.js'
import { PROCESS_TIMEOUT } from '../support/timeouts.ts'
import { environment, root, run, unpacked } from './cli-support.ts'

function example(name: string, ...args: string[]): string {
  const script = path.join(root, 'examples', name)
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], {
    env: environment,
    timeout: PROCESS_TIMEOUT,
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

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('requests to S3 are signed as the example of its documentation', async () => {
  // "Authenticating Requests: Using the Authorization Header", GET Object.
  vi.useFakeTimers({ now: new Date('2013-05-24T00:00:00Z') })
  const sent: [string, RequestInit][] = []
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => sent.push([`${url}`, init]))
  const send = signedFetch({
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  })
  const address = 'https://examplebucket.s3.amazonaws.com/test.txt'
  await send(address, { headers: { Range: 'bytes=0-9' } })
  const [[url, init] = ['', {}]] = sent
  expect(url).toBe(address)
  expect(Object.fromEntries(new Headers(init.headers))).toEqual({
    range: 'bytes=0-9',
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  })
})

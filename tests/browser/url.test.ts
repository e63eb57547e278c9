/** Repositories on an nginx, read by a page of the same origin and of another one. */
import { open } from 'packlens'
import { describe, expect, inject, test } from 'vitest'
import { codeOf, collect, type Expected, errorOf, fixture, fixtures, sha256 } from './support.ts'

declare module 'vitest' {
  interface ProvidedContext {
    nginx: { readonly url: string; readonly sceneOid: string }
  }
}

const nginx = inject('nginx')
const several = ['main', 'mixed', 'loose', 'sha256', 'served'].map(fixture)

async function hasAll(address: string, of: Expected): Promise<number> {
  await using repo = await open(address)
  for (const expected of of.objects) {
    const { type, size, data } = await repo.read(expected.oid)
    const found = { type, size, sha256: await sha256(data) }
    expect(found).toEqual({ type: expected.type, size: expected.size, sha256: expected.sha256 })
  }
  const refs = await collect(repo.refs.list())
  expect(refs.map(({ name, oid }) => [name, oid])).toEqual(
    of.refs.map(({ name, oid }) => [name, oid]),
  )
  return repo.stats().requests
}

test('The page and the server have different origins', () => {
  expect(location.origin).not.toBe(nginx.url)
  expect(fixtures.length).toBeGreaterThan(several.length)
})

describe.each(several.map((of) => [of.name, of] as const))('%s has the same objects', (_, of) => {
  test('from the same origin, by a URL without a host', async () => {
    await hasAll(`/nginx/closed/${of.name}.git`, of)
  })

  test('from another origin', async () => {
    await hasAll(`${nginx.url}/exposed/${of.name}.git`, of)
  })

  test('from another origin whose headers are hidden, with more requests', async () => {
    const seen = await hasAll(`${nginx.url}/exposed/${of.name}.git`, of)
    const hidden = await hasAll(`${nginx.url}/open/${of.name}.git`, of)
    expect(hidden).toBeGreaterThan(seen)
  })

  test('from another origin that compresses', async () => {
    await hasAll(`${nginx.url}/exposed-gzip/${of.name}.git`, of)
  })
})

test('Several ranges are requested at once from the same origin only', async () => {
  const counts: number[] = []
  const bytes: string[] = []
  for (const address of ['/nginx/scene/repo.git', `${nginx.url}/scene/repo.git`]) {
    const ranges: string[] = []
    const noting = (url: string, init: RequestInit) => {
      ranges.push(new Headers(init.headers).get('Range') ?? '')
      return fetch(url, init)
    }
    await using repo = await open(new URL(address, location.href), { http: { fetch: noting } })
    bytes.push(await sha256((await repo.read(nginx.sceneOid)).data))
    counts.push(ranges.filter((range) => range.includes(',')).length)
  }
  // From the other origin each would need a preflight, which nginx refuses.
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts[1]).toBe(0)
  expect(bytes[0]).toBe(bytes[1])
})

test('A server that forbids other origins cannot be reached', async () => {
  const error = await errorOf(() =>
    open(`${nginx.url}/closed/tiny.git`, { http: { pause: 1, tries: 2 } }),
  )
  expect([error.code, error.cause]).toEqual(['NETWORK', expect.any(TypeError)])
})

test('If the size of a file is hidden, the error names the missing header', async () => {
  const error = await errorOf(() => open(`${nginx.url}/open-gzip/main.git`))
  expect(error.code).toBe('UNSUPPORTED')
  expect(error.message).toContain('Access-Control-Expose-Headers: Content-Range, ETag')
})

test('A URL without a server is refused', async () => {
  expect(await codeOf(() => open('ftp://example.org/repo.git'))).toBe('BAD_INPUT')
  expect(await codeOf(() => open(new URL('blob:nothing')))).toBe('BAD_INPUT')
  expect(await codeOf(() => open('/nginx/closed/no-such.git'))).toBe('NOT_FOUND')
})

test('The call ends when the signal is aborted', async () => {
  const controller = new AbortController()
  const holding = () => new Promise<Response>(() => {})
  const { signal } = controller
  const answer = errorOf(() => open('/nginx/closed/tiny.git', { signal, http: { fetch: holding } }))
  controller.abort(new Error('enough'))
  const error = await answer
  expect([error.code, (error.cause as Error).message]).toEqual(['ABORTED', 'enough'])
})

/** Repositories on a real server, read in a worker: by URL, and by a `fetch` that stays. */
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import type { OpenOptions, Repository } from 'packlens'
import { open } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { type Served, serveFixtures } from './servers/served.ts'
import { codeOf, collect, errorOf, fixture, sha256 } from './support.ts'

const main = fixture('main')
let served: Served
let server: { url: string; stop: () => Promise<void> }

beforeAll(async () => {
  served = serveFixtures([main])
  server = await startNginx([{ prefix: '/', folder: served.folder }])
})

afterAll(async () => {
  await server?.stop()
  served?.remove()
})

let hooked = 0
let hookedBytes = 0
const ways: [string, () => OpenOptions][] = [
  ['its address crosses', () => ({ http: { inFlight: 3 } })],
  [
    'fetch stays in the page',
    () => ({
      http: {
        fetch: async (...request) => {
          hooked += 1
          const response = await fetch(...request)
          hookedBytes += Number(response.headers.get('Content-Length'))
          return response
        },
      },
    }),
  ],
]

describe.each(ways)('Where %s', (name, options) => {
  const openBoth = async (): Promise<[direct: Repository, repo: Repository]> => {
    const address = `${server.url}/main.git`
    const direct = await open(address, options())
    return [direct, await open(new URL(address), { ...options(), worker: true })]
  }

  test('objects, names and listings are equal, and requests are counted', async () => {
    hooked = 0
    hookedBytes = 0
    const [direct, repo] = await openBoth()
    for (const { oid, sha256: sum } of main.objects.slice(0, 40)) {
      expect(sha256((await repo.read(oid)).data)).toBe(sum)
      await direct.read(oid)
    }
    expect(await collect(repo.refs.list())).toEqual(await collect(direct.refs.list()))
    expect(await repo.resolve('HEAD^{tree}')).toBe(await direct.resolve('HEAD^{tree}'))
    expect(await collect(repo.walk('HEAD'))).toEqual(await collect(direct.walk('HEAD')))
    const [expected, { requests, receivedBytes, bytesRead }] = [direct.stats(), repo.stats()]
    expect(requests).toBeGreaterThan(3)
    if (hooked === 0) {
      const { requests: most, receivedBytes: received, bytesRead: read } = expected
      expect([requests, receivedBytes, bytesRead]).toEqual([most, received, read])
    } else {
      // Reads that arrive in separate messages are joined less often.
      expect(hooked).toBe(expected.requests + requests)
      expect(hookedBytes).toBe(expected.receivedBytes + receivedBytes)
    }
    direct.close()
    repo.close()
  })

  test('errors of the server are reported', async () => {
    const address = `${server.url}/none.git`
    const expected = await errorOf(() => open(address, options()))
    const error = await errorOf(() => open(address, { ...options(), worker: true }))
    expect({ ...error, message: error.message }).toEqual({ ...expected, message: expected.message })
  })

  test('refs are read again on `refresh`', async () => {
    const [direct, repo] = await openBoth()
    const fresh = `refs/heads/${name.replaceAll(' ', '-')}`
    expect(await codeOf(() => repo.resolve(fresh))).toBe('NOT_FOUND')
    appendFileSync(
      path.join(served.folder, 'main.git', 'info', 'refs'),
      `${main.head.oid}\t${fresh}\n`,
    )
    expect(await codeOf(() => repo.resolve(fresh))).toBe('NOT_FOUND')
    repo.refresh()
    expect(await repo.resolve(fresh)).toBe(main.head.oid)
    repo.close()
    expect(await codeOf(() => repo.refresh())).toBe('CLOSED')
    direct.close()
  })
})

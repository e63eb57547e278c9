/** Limits of requests: their number, their duration, and names that are not requested. */
import type { HttpOptions, Repository } from 'packlens'
import { open } from 'packlens'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FaultyServer } from './servers/faulty.ts'
import { makeScene, PACK, withOtherPacks } from './servers/scene.ts'
import { codeOf, collect, errorOf } from './support.ts'

const scene = makeScene(3)
const oid = scene.oids[10] as string
let server: FaultyServer

beforeAll(async () => {
  server = await FaultyServer.start()
})

beforeEach(() => server.reset(scene.files))

afterAll(() => server?.stop())

function openIt(http: HttpOptions = {}): Promise<Repository> {
  return open(`${server.url}/repo.git`, { memory: 4 << 20, http: { pause: 1, ...http } })
}

const toPack = () => server.asked.filter(({ path }) => path === PACK)

describe('Ending early', () => {
  test('ends the wait before a retry', async () => {
    await using repo = await openIt({ pause: 60_000 })
    server.fault = (reply) => {
      reply.status = 503
    }
    const before = server.asked.length
    const controller = new AbortController()
    const answer = errorOf(() => repo.read(oid, { signal: controller.signal }))
    await expect.poll(() => server.asked.length).toBeGreaterThan(before)
    controller.abort(new Error('enough'))
    const error = await answer
    expect([error.code, (error.cause as Error).message]).toEqual(['ABORTED', 'enough'])
  })

  test('ends a request whose body does not end', async () => {
    // A timeout that would end it is far beyond that of this test.
    await using repo = await openIt({ timeout: 600_000 })
    let ended = () => {}
    const wasEnded = new Promise<void>((resolve) => {
      ended = resolve
    })
    server.fault = (reply, { path }) => {
      if (path === PACK) reply.stallAt = 1
    }
    const before = toPack().length
    server.onClose = () => ended()
    const controller = new AbortController()
    const answer = codeOf(() => repo.read(oid, { signal: controller.signal }))
    await expect.poll(() => toPack().length).toBeGreaterThan(before)
    controller.abort()
    expect(await answer).toBe('ABORTED')
    await wasEnded
  })

  /** Whatever the file is read for: with one request at a time, no other call would be answered. */
  test.each<[name: string, ask: (repo: Repository, signal: AbortSignal) => Promise<unknown>]>([
    ['info/refs', (repo, signal) => collect(repo.refs.list({ signal }))],
    ['FETCH_HEAD', (repo, signal) => repo.refs.get('FETCH_HEAD', { signal })],
    ['info/http-alternates', (repo, signal) => repo.find('f'.repeat(40), { signal })],
    ['info/packs', (repo, signal) => repo.find('f'.repeat(40), { signal })],
    ['.idx', (repo, signal) => repo.read(oid, { signal })],
    ['.pack', (repo, signal) => repo.read(oid, { signal })],
  ])('ends the request of a file that stalls: %s', async (name, ask) => {
    await using repo = await openIt({ timeout: 600_000, inFlight: 1 })
    repo.refresh()
    const toFile = () => server.asked.filter(({ path }) => path.endsWith(name))
    const before = toFile().length
    server.fault = (reply, { path }) => {
      if (path.endsWith(name)) reply.stallAt = -1
    }
    const controller = new AbortController()
    const answer = codeOf(() => ask(repo, controller.signal))
    await expect.poll(() => toFile().length).toBeGreaterThan(before)
    controller.abort()
    expect(await answer).toBe('ABORTED')
    server.fault = () => {}
    expect((await repo.read(oid)).oid).toBe(oid)
    await ask(repo, new AbortController().signal)
  })

  test('ends opening', async () => {
    server.fault = (reply) => {
      reply.stallAt = -1
    }
    const signal = AbortSignal.timeout(50)
    const error = await errorOf(() => open(`${server.url}/repo.git`, { signal }))
    expect([error.code, error.cause]).toEqual(['ABORTED', signal.reason])
  })

  test('ends opening while it waits for a retry', async () => {
    server.fault = (reply) => {
      reply.status = 503
      reply.headers['Retry-After'] = '5'
    }
    const controller = new AbortController()
    const { signal } = controller
    const answer = codeOf(() => open(`${server.url}/repo.git`, { signal }))
    await expect.poll(() => server.asked.length).toBe(3)
    controller.abort()
    expect(await answer).toBe('ABORTED')
    expect(server.asked).toHaveLength(3)
  })

  test('closing ends pending requests', async () => {
    const repo = await openIt()
    const before = server.asked.length
    server.fault = (reply) => {
      reply.stallAt = 1
    }
    const answer = codeOf(() => repo.read(oid))
    await expect.poll(() => server.asked.length).toBeGreaterThan(before)
    repo.close()
    expect(await answer).toBe('CLOSED')
  })

  test('closing ends requests of calls without a signal', async () => {
    const repo = await openIt()
    let ended = () => {}
    const wasEnded = new Promise<void>((resolve) => {
      ended = resolve
    })
    server.fault = (reply, { path }) => {
      if (path.endsWith('info/packs')) reply.stallAt = 0
    }
    server.onClose = () => ended()
    const before = server.asked.length
    const answer = codeOf(() => repo.find('f'.repeat(40)))
    await expect
      .poll(() => server.asked.slice(before).some(({ path }) => path.endsWith('info/packs')))
      .toBe(true)
    repo.close()
    expect(await answer).toBe('CLOSED')
    await wasEnded
  })

  test('an aborted call does not end a request that another one waits for', async () => {
    server.reset(withOtherPacks(scene).files)
    await using repo = await openIt()
    let isHeld = true
    server.fault = (reply, { path }) => {
      if (path === PACK && isHeld) reply.holdFor = 100
    }
    const controller = new AbortController()
    const first = codeOf(() => repo.read(oid, { signal: controller.signal }))
    const second = repo.read(oid)
    await expect.poll(() => toPack().length).toBe(1)
    isHeld = false
    controller.abort()
    expect(await first).toBe('ABORTED')
    expect((await second).oid).toBe(oid)
    expect(toPack()).toHaveLength(1)
  })
})

describe('A body that arrives a byte at a time, 20 a second', () => {
  const slow = (name: string) => {
    server.fault = (reply, { path }) => {
      if (path.endsWith(name)) reply.drip = 1
    }
  }

  test('is read if that is fast enough', async () => {
    slow('HEAD')
    const start = performance.now()
    const repo = await openIt({ timeout: 900, minRate: 1, tries: 1 })
    repo.close()
    // 21 bytes: longer in all than the timeout without a byte.
    expect(performance.now() - start).toBeGreaterThan(900)
  })

  test.each(['HEAD', 'info/packs', '.idx', '.pack'])('is given up otherwise: %s', async (name) => {
    slow(name)
    const error = await errorOf(async () => {
      // The 21 bytes of HEAD are there after a second.
      const timeout = name === 'HEAD' ? 800 : 1500
      await using repo = await openIt({ timeout, minRate: 100, tries: 2 })
      await repo.read(oid)
    })
    expect([error.code, error.message]).toEqual([
      'NETWORK',
      expect.stringMatching(
        /^the server sent \d+ bytes in \d+ ms, less than 100 a second: .*`http\.minRate`/,
      ),
    ])
    const times = server.asked.filter(({ path }) => path.endsWith(name))
    expect(Math.max(...times.map((asked) => asked.times))).toBe(1)
  })
})

test('A file whose first two ranges are of different versions is not opened', async () => {
  server.reset(withOtherPacks(scene).files)
  await using repo = await openIt({ multipart: false })
  server.fault = (reply, { path, ranges }) => {
    if (path === PACK && (ranges[0]?.[0] ?? 0) > 0) reply.headers.ETag = '"new"'
  }
  expect(await codeOf(() => repo.read(scene.oids[300] as string))).toBe('CHANGED')
  expect(toPack()).toHaveLength(2)
})

test.each([1, 2, 5])('A failing request is tried %i times', async (tries) => {
  await using repo = await openIt({ tries, multipart: false })
  server.fault = (reply) => {
    reply.status = 503
  }
  const error = await errorOf(() => repo.read(scene.oids[0] as string))
  expect([error.code, error.status]).toEqual(['NETWORK', 503])
  const times = Math.max(...server.asked.map((asked) => asked.times + 1))
  expect(times).toBe(tries)
})

const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString()
const dates = /try again after [-+0-9]+T[0-9:.]+Z:/

describe('A server with Retry-After', () => {
  test.each([
    ['999999', dates],
    ['9'.repeat(400), /after \+275760-09-13T00:00:00\.000Z/],
    [inAnHour(), dates],
  ])('of more than the longest wait is not retried: %s', async (value, message) => {
    await using repo = await openIt({ multipart: false })
    server.fault = (reply) => {
      reply.status = 503
      reply.headers['Retry-After'] = value
    }
    const error = await errorOf(() => repo.read(oid))
    expect([error.code, error.status]).toEqual(['NETWORK', 503])
    expect(error.message).toMatch(message)
    expect(server.asked.every(({ times }) => times === 0)).toBe(true)
  })

  test.each(['0', '-1', '1.5', 'soon', '', '1, 2', 'Fri, 31 Dec 1999 23:59:59 GMT'])(
    'that names no wait is retried: %s',
    async (value) => {
      await using repo = await openIt()
      server.fault = (reply, { times }) => {
        if (times > 0) return
        reply.status = 429
        reply.headers['Retry-After'] = value
      }
      expect((await repo.read(oid)).oid).toBe(oid)
    },
  )

  test('is retried after that time, or after `pause`', async () => {
    await using repo = await openIt({ pause: 60_000 })
    server.fault = (reply) => {
      reply.status = 503
      reply.headers['Retry-After'] = '30'
    }
    const controller = new AbortController()
    const before = server.asked.length
    const answer = codeOf(() => repo.read(oid, { signal: controller.signal }))
    await expect.poll(() => server.asked.length).toBeGreaterThan(before)
    const early = await Promise.race([
      answer,
      new Promise((next) => setTimeout(next, 100, 'waits')),
    ])
    expect(early).toBe('waits')
    controller.abort()
    expect(await answer).toBe('ABORTED')
  })
})

test('A file that is too large to be read whole is not read at all', async () => {
  await using repo = await openIt()
  server.fault = (reply, { path }) => {
    if (path !== PACK) return
    reply.status = 200
    delete reply.headers['Content-Range']
    delete reply.headers['Content-Type']
    reply.body = scene.files.get(PACK)?.bytes as Buffer
  }
  const before = repo.stats().receivedBytes
  expect(await codeOf(() => repo.read(oid))).toBe('UNSUPPORTED')
  expect(repo.stats().receivedBytes - before).toBeLessThan(20_000)
})

test('No more requests run than allowed', async () => {
  let most = 0
  let now = 0
  const counting = async (url: string, init: RequestInit) => {
    most = Math.max(most, ++now)
    try {
      const response = await fetch(url, init)
      const bytes = await response.arrayBuffer()
      const { status, headers } = response
      return new Response(bytes.byteLength ? bytes : null, { status, headers })
    } finally {
      now--
    }
  }
  await using repo = await openIt({ inFlight: 2, fetch: counting, multipart: false, gap: 0 })
  await Promise.all(scene.oids.slice(0, 30).map((oid) => repo.read(oid)))
  expect(most).toBe(2)
  expect(server.asked.length).toBeGreaterThan(10)
})

test('A hook may add headers, and sign each address', async () => {
  server.fault = (reply, { query, headers }) => {
    if (query === '?key=1' && headers.authorization === 'Bearer secret') return
    reply.status = 403
  }
  const hook: HttpOptions['fetch'] = (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('Authorization', 'Bearer secret')
    return fetch(url, { ...init, headers })
  }
  const address = `${server.url}/repo.git?key=1`
  await using repo = await open(address, { http: { fetch: hook } })
  expect((await repo.read(oid)).oid).toBe(oid)
  const error = await errorOf(() => open(address))
  expect([error.code, error.status]).toEqual(['NETWORK', 403])
  // The query of a URL, which may hold a signature, is not in messages.
  expect(error.message).not.toContain('key')
})

test('A refusal is not retried; several ranges neither, once they are refused', async () => {
  server.fault = (reply) => {
    reply.status = 403
  }
  expect(await codeOf(() => openIt())).toBe('NETWORK')
  expect(server.asked.every(({ times }) => times === 0)).toBe(true)
  server.reset(scene.files)
  server.fault = (reply, { ranges }) => {
    if (ranges.length > 1) reply.status = 400
  }
  await using repo = await openIt({ gap: 0 })
  const several = () => server.asked.filter(({ ranges }) => ranges.length > 1)
  const readApart = (at: number) =>
    Promise.all([scene.oids[at], scene.oids[600 - at]].map((oid) => repo.read(oid as string)))
  await readApart(0)
  const refused = several().length
  expect(refused).toBeGreaterThan(0)
  for (const at of [100, 150, 200, 250]) await readApart(at)
  expect(several()).toHaveLength(refused)
  server.fault = () => {}
  await using other = await openIt({ gap: 0 })
  await Promise.all([0, 300, 600].map((at) => other.read(scene.oids[at] as string)))
  expect(several().length).toBeGreaterThan(refused)
})

test('A server that answers several ranges with the whole file is asked for one at a time', async () => {
  const sent = () => server.asked.map(({ path, ranges }) => ({ path, count: ranges.length }))
  const readAll = async (http: HttpOptions) => {
    server.asked = []
    await using repo = await openIt({ gap: 0, ...http })
    await Promise.all([0, 300, 600].map((at) => repo.read(scene.oids[at] as string)))
    return repo.stats().receivedBytes
  }
  const apart = await readAll({ multipart: false })
  server.fault = (reply, { path, ranges }) => {
    if (ranges.length > 1) Object.assign(reply, server.rightReply(path, []))
  }
  // The file that came is not read: what of it was on its way is not counted, nor kept.
  expect(await readAll({})).toBeLessThanOrEqual(apart)
  expect(sent().filter(({ count }) => count > 1)).toHaveLength(1)
})

test('Ranges that are close together are requested as one', async () => {
  const counts: number[] = []
  for (const gap of [0, 1 << 20]) {
    server.reset(scene.files)
    await using repo = await openIt({ gap, multipart: false })
    await Promise.all(scene.oids.slice(0, 8).map((oid) => repo.read(oid)))
    counts.push(toPack().length)
  }
  expect(counts[1]).toBeLessThan(counts[0] as number)
})

test('Refs are those of the opening until `refresh`', async () => {
  await using repo = await openIt()
  expect(await repo.resolve('main')).toBe(scene.oids[10])
  const before = server.asked.length
  expect(await repo.resolve('HEAD')).toBe(scene.oids[10])
  expect(server.asked.length).toBe(before)
  const moved = `${scene.oids[11]}\trefs/heads/main\n${scene.oids[3]}\trefs/tags/t1\n`
  const files = new Map(scene.files)
  files.set('/repo.git/info/refs', { bytes: Buffer.from(moved), etag: '"moved"' })
  server.reset(files)
  expect(await repo.resolve('HEAD')).toBe(scene.oids[10])
  expect(server.asked).toHaveLength(0)
  repo.refresh()
  expect(await repo.resolve('HEAD')).toBe(scene.oids[11])
  expect((await collect(repo.refs.list())).map(({ name }) => name)).toEqual([
    'refs/heads/main',
    'refs/tags/t1',
  ])
})

test('Names that cannot be refs are not requested', async () => {
  await using repo = await openIt()
  await repo.resolve('main')
  const before = server.asked.length
  expect(await codeOf(() => repo.resolve('v1.0'))).toBe('NOT_FOUND')
  expect(await codeOf(() => repo.resolve('topic/one'))).toBe('NOT_FOUND')
  const asked = server.asked.slice(before).map(({ path }) => path)
  expect(asked.filter((path) => !path.endsWith('info/refs'))).toEqual([])
  expect(await codeOf(() => repo.resolve('FETCH_HEAD'))).toBe('NOT_FOUND')
  expect(server.asked.map(({ path }) => path)).toContain('/repo.git/FETCH_HEAD')
})

test('New objects are found: the list of packs is requested again', async () => {
  const files = new Map(scene.files)
  const list = '/repo.git/objects/info/packs'
  files.set(list, { bytes: Buffer.from('\n') })
  server.reset(files)
  await using repo = await openIt()
  expect(await repo.find(oid)).toBeNull()
  server.reset(scene.files)
  expect((await repo.read(oid)).oid).toBe(oid)
})

describe('Invalid options', () => {
  const bad: [string, HttpOptions][] = [
    ['gap', { gap: -1 }],
    ['inFlight', { inFlight: 0 }],
    ['timeout', { timeout: 2 ** 31 }],
    ['minRate', { minRate: -1 }],
    ['tries', { tries: 1.5 }],
    ['alternates', { alternates: 'no' as unknown as boolean }],
    ['multipart', { multipart: 0 as unknown as boolean }],
    ['pause', { pause: Number.NaN }],
  ]
  test.each(bad)('%s', async (name, http) => {
    const error = await errorOf(() => openIt(http))
    expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringContaining(name)])
  })

  test('URLs with a password, and of other schemes', async () => {
    const withPassword = server.url.replace('//', '//user:secret@')
    const error = await errorOf(() => open(withPassword))
    expect(error.code).toBe('BAD_INPUT')
    expect(error.message).not.toContain('secret')
    expect(await codeOf(() => open(new URL('ftp://127.0.0.1/repo.git')))).toBe('BAD_INPUT')
    expect(await codeOf(() => open('http://'))).toBe('BAD_INPUT')
    expect(server.asked).toHaveLength(0)
  })
})

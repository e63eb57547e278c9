/** Servers that answer with something other than the file: apps, logins, other services. */
import { open, type Repository } from 'packlens'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { indexedPackOf } from './blob-pack.ts'
import { contentRange, FaultyServer, type Reply } from './servers/faulty.ts'
import { INDEX, makeScene, PACK } from './servers/scene.ts'
import { codeOf, errorOf } from './support.ts'

const scene = makeScene(5)
const oid = scene.oids[10] as string
const PAGE = '<!DOCTYPE html>\n<html><head><title>My app</title></head><body></body></html>\n'
let server: FaultyServer

beforeAll(async () => {
  server = await FaultyServer.start()
})

beforeEach(() => server.reset(scene.files))

afterAll(() => server?.stop())

const openIt = (): Promise<Repository> => open(`${server.url}/repo.git`, { http: { pause: 1 } })

function send(reply: Reply, body: string, type = 'text/html; charset=utf-8'): void {
  reply.status = 200
  reply.headers = { 'Content-Type': type }
  reply.body = Buffer.from(body)
}

test('An app that answers every URL with its page is reported as such', async () => {
  server.fault = (reply) => send(reply, PAGE)
  const error = await errorOf(openIt)
  expect([error.code, error.status]).toEqual(['NETWORK', 200])
  expect(error.message).toContain(
    'something other than the file (status 200, text/html; charset=utf-8, ' +
      '"<!DOCTYPE html> <html><head><title>My app</title></head><bod")',
  )
  expect(error.message).toContain(`${server.url}/repo.git/HEAD`)
  const heads = server.asked.filter(({ path }) => path.endsWith('HEAD')).map(({ path }) => path)
  expect(heads).toEqual(['/repo.git/HEAD', '/repo.git/.git/HEAD'])
})

test('The shown content is printable, short, and names the target of a redirect', async () => {
  server.fault = (reply, { path }) => {
    if (path === '/login') return send(reply, `\x1b[31m\x07${'é'.repeat(500)}`, 'text/plain\t; x=1')
    reply.status = 302
    reply.headers.Location = '/login?next=secret'
  }
  const { message } = await errorOf(openIt)
  expect(message).toContain(`(status 200, text/plain ; x=1, "[31m", from ${server.url}/login):`)
  expect(message).toMatch(/^[\x20-\x7e]*$/)
})

describe.each([
  ['a page', PAGE],
  ['what a service says', '{"error":"no such key","status":404}'],
])('%s in place of', (_, body) => {
  test.each([
    ['a pack', PACK],
    ['an index', INDEX],
  ])('%s that is listed, whole or by ranges', async (_, file) => {
    for (const status of [200, 206]) {
      server.reset(scene.files)
      server.fault = (reply, { path, ranges: [[start] = [0]] }) => {
        if (path !== file) return
        send(reply, body)
        reply.status = status === 206 && start > 0 ? 416 : status
        if (status === 206)
          reply.headers['Content-Range'] = contentRange([0, body.length], body.length)
      }
      const error = await errorOf(async () => {
        await using repo = await openIt()
        await repo.read(oid)
      })
      expect([error.code, error.status]).toEqual(['NETWORK', status])
      expect(error.message).toContain(body.slice(0, 15))
      expect(error.subject).toBe(server.url + file)
    }
  })

  test('a replaced pack is missing: the same repository is still readable', async () => {
    await using repo = await openIt()
    server.fault = (reply, { path }) => {
      if (path === PACK) send(reply, body)
    }
    expect(await codeOf(() => repo.read(oid))).toBe('NETWORK')
    expect(await codeOf(() => repo.find(oid))).toBe('NETWORK')
    server.fault = () => {}
    expect((await repo.read(oid)).oid).toBe(oid)
  })
})

test('A pack that is no longer listed is skipped, whatever is sent for it', async () => {
  const { pack, idx, oids } = indexedPackOf(...scene.contents)
  const files = new Map(scene.files)
  files.delete(PACK)
  files.delete(INDEX)
  const other = (file: string) => file.replaceAll('5', '7')
  files.set(other(PACK), { bytes: pack })
  files.set(other(INDEX), { bytes: idx })
  const list = '/repo.git/objects/info/packs'
  files.set(list, { bytes: Buffer.from(`P ${other(PACK).replace(/.*\//, '')}\n`) })
  await using repo = await openIt()
  server.reset(files)
  server.fault = (reply) => {
    if (reply.status === 404) send(reply, PAGE)
  }
  expect(oids[10]).toBe(oid)
  expect((await repo.read(oid)).oid).toBe(oid)
  expect(await repo.find('f'.repeat(40))).toBeNull()
})

describe('A login that starts to answer every request', () => {
  const questions: [string, (repo: Repository) => Promise<unknown>][] = [
    ['objects', (repo) => repo.read(scene.oids[300] as string)],
    ['objects that are not there', (repo) => repo.find('f'.repeat(40))],
    ['refs', (repo) => repo.refs.get('refs/heads/main')],
    ['HEAD', (repo) => repo.resolve('HEAD')],
  ]
  test.each(questions)('is reported by %s', async (_, ask) => {
    await using repo = await openIt()
    await repo.read(oid)
    await repo.refs.get('refs/heads/main')
    server.fault = (reply) => send(reply, '<html><form action="/login">')
    repo.refresh()
    const error = await errorOf(() => ask(repo))
    expect([error.code, error.message]).toEqual([
      'NETWORK',
      expect.stringContaining('<form action'),
    ])
    server.fault = () => {}
    await ask(repo)
  })
})

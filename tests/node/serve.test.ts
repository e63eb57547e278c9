/** `packlens serve`: a static server that serves one repository by ranges, and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRanges } from '../../dist/node/cli/serve/ranges.js'
import { viewerArchive } from '../../scripts/lib/paths.mjs'
import { cli, environment, run, runProcess, unpacked } from './cli-support.ts'
import { looseCommit, looseTree, makeRepository } from './loose-objects.ts'

interface Served {
  readonly url: string
  end(): Promise<void>
}

async function serve(folder: string, ...args: string[]): Promise<Served> {
  const child: ChildProcess = spawn(process.execPath, [cli, 'serve', folder, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  while (!/ at \S+\n/.test(text)) {
    const [bytes] = await once(child.stdout as NodeJS.ReadableStream, 'data')
    text += bytes
  }
  return {
    url: / at (\S+)\n/.exec(text)?.[1] ?? '',
    async end() {
      const ended = once(child, 'close')
      child.kill()
      await ended
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Requests a path as it is written. */
async function ask(
  { url }: Served,
  target: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, path: target, headers, method, agent: false })
  sent.end()
  const [response] = await once(sent, 'response')
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }
}

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-serve-'))
const repository = path.join(folder, 'repository')
const file = Buffer.from(Array.from({ length: 100 }, (_, at) => at))
const name = Buffer.from('\xff b%', 'latin1')
let served: Served
let commit = ''

beforeAll(async () => {
  mkdirSync(repository)
  makeRepository(repository)
  commit = looseCommit(repository, { tree: looseTree(repository, []) })
  writeFileSync(path.join(repository, 'refs/heads/main'), `${commit}\n`)
  writeFileSync(path.join(repository, 'bytes'), file)
  writeFileSync(Buffer.concat([Buffer.from(`${repository}/`), name]), 'a name of bytes')
  writeFileSync(path.join(folder, 'secret'), 'secret')
  mkdirSync(path.join(folder, 'repository-2'))
  writeFileSync(path.join(folder, 'repository-2', 'secret'), 'secret')
  symlinkSync('../secret', path.join(repository, 'link'))
  symlinkSync('..', path.join(repository, 'up'))
  symlinkSync('../repository-2', path.join(repository, 'beside'))
  symlinkSync('HEAD', path.join(repository, 'inside'))
  served = await serve(repository)
})

afterAll(async () => {
  await served.end()
  rmSync(folder, { recursive: true, force: true })
})

describe('a repository', () => {
  test.each(['main', 'sha256', 'reftable'])(
    '%s has the same objects and refs by its URL',
    async (name) => {
      const there = path.join(unpacked, name)
      const server = await serve(there)
      try {
        const [local, remote] = [await open(there), await open(server.url)]
        const ids: string[] = []
        for await (const row of local.objects()) if ('oid' in row) ids.push(row.oid)
        expect(ids.length).toBeGreaterThan(15)
        for (const oid of ids) {
          const [there, here] = [await remote.read(oid), await local.read(oid)]
          expect([there.oid, there.type]).toEqual([here.oid, here.type])
          // Not by `toEqual`, which compares number by number, for seconds.
          expect(Buffer.compare(there.data, here.data)).toBe(0)
        }
        const refs = async (repo: typeof local) => {
          const found: string[] = []
          for await (const ref of repo.refs.list()) found.push(`${ref.name} ${ref.oid}`)
          return found
        }
        const listed = (await refs(local)).filter((line) => line.startsWith('refs/'))
        expect(listed.length).toBeGreaterThan(0)
        expect((await refs(remote)).filter((line) => line.startsWith('refs/'))).toEqual(listed)
        expect(await remote.resolve('HEAD')).toBe(await local.resolve('HEAD'))
      } finally {
        await server.end()
      }
    },
  )

  test('lists refs and packs that are new', async () => {
    expect(`${(await ask(served, '/info/refs')).body}`).toBe(`${commit}\trefs/heads/main\n`)
    writeFileSync(path.join(repository, 'refs/heads/new'), `${commit}\n`)
    expect(`${(await ask(served, '/info/refs')).body}`).toContain(`${commit}\trefs/heads/new\n`)
    rmSync(path.join(repository, 'refs/heads/new'))
    expect(`${(await ask(served, '/objects/info/packs')).body}`).toBe('\n')
    mkdirSync(path.join(repository, 'objects/pack'))
    writeFileSync(path.join(repository, 'objects/pack/pack-1.pack'), '')
    expect(`${(await ask(served, '/objects/info/packs')).body}`).toBe('P pack-1.pack\n\n')
  })

  test('with a work tree is its git directory alone', async () => {
    const there = path.join(unpacked, 'worktree', 'repo')
    const server = await serve(there)
    expect((await ask(server, '/HEAD')).body).toEqual(readFileSync(path.join(there, '.git/HEAD')))
    expect((await ask(server, '/.git/HEAD')).status).toBe(404)
    await server.end()
  })
})

describe('ranges', () => {
  const part = (range: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(served, '/bytes', { Range: range, ...headers }, method)

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=90-', 90, 100],
    ['bytes=-5', 95, 100],
    ['bytes=-500', 0, 100],
    ['bytes=99-500', 99, 100],
    ['bytes=7-7', 7, 8],
    ['bytes=5-9,200-300', 5, 10],
  ])('%s', async (range, start, end) => {
    const { status, headers, body } = await part(range)
    expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end - 1}/100`])
    expect(body).toEqual(file.subarray(start, end))
    const head = await part(range, {}, 'HEAD')
    expect(head.body.length).toBe(0)
    expect(head.headers['content-length']).toBe(`${end - start}`)
  })

  test('several', async () => {
    const { status, headers, body } = await part('bytes=0-1, 50-51,-1')
    expect(status).toBe(206)
    const [, boundary = ''] =
      /^multipart\/byteranges; boundary=(.{1,70})$/.exec(`${headers['content-type']}`) ?? []
    expect(boundary).not.toBe('')
    const shown = [
      [0, 2],
      [50, 52],
      [99, 100],
    ] as const
    const expected = shown.map(([start, end], at) =>
      Buffer.concat([
        Buffer.from(
          `${at > 0 ? '\r\n' : ''}--${boundary}\r\nContent-Type: application/octet-stream\r\n`,
        ),
        Buffer.from(`Content-Range: bytes ${start}-${end - 1}/100\r\n\r\n`),
        file.subarray(start, end),
      ]),
    )
    expect(body).toEqual(Buffer.concat([...expected, Buffer.from(`\r\n--${boundary}--\r\n`)]))
    expect(headers['content-length']).toBe(`${body.length}`)
  })

  test.each(['bytes=100-', 'bytes=-0', 'bytes=200-300,400-'])('%s are not there', async (range) => {
    const { status, headers, body } = await part(range)
    expect([status, headers['content-range'], body.length]).toEqual([416, 'bytes */100', 0])
  })

  test.each([
    ...['bytes=', 'bytes=-', 'bytes=5-2', 'bytes=a-b', 'bytes 0-9', 'pages=0-9', 'bytes=0-9;1'],
    // As much as an attacker likes, and more requests than any reader makes.
    ...['bytes=0-99,0-99', `bytes=${'0-0,'.repeat(200)}0-0`],
  ])('%s is answered with the whole file', async (range) => {
    const { status, headers, body } = await part(range)
    expect([status, headers['content-range']]).toEqual([200, undefined])
    expect(body).toEqual(file)
  })

  test('of any header are in the file', () => {
    const far = '9'.repeat(400)
    expect(parseRanges(`bytes=${far}-${far}`, 100)).toEqual([])
    expect(parseRanges(`bytes=-${far}`, 100)).toEqual([{ start: 0, end: 100 }])
    expect(parseRanges(`bytes=0-${far}`, 100)).toEqual([{ start: 0, end: 100 }])
    expect(parseRanges('bytes=0-', 0)).toEqual([])
    expect(parseRanges(undefined, 100)).toBe(null)
  })

  test('are of the version that If-Range names', async () => {
    const { headers } = await ask(served, '/bytes')
    const [tag, date] = [`${headers.etag}`, `${headers['last-modified']}`]
    expect(tag).toMatch(/^"[^"]+"$/)
    expect((await part('bytes=0-1', { 'If-Range': tag })).status).toBe(206)
    expect((await part('bytes=0-1', { 'If-Range': '"other"' })).status).toBe(200)
    expect((await part('bytes=0-1', { 'If-Range': date })).status).toBe(200)
    expect((await ask(served, '/bytes', { 'If-None-Match': `"a", ${tag}` })).status).toBe(304)
    expect((await ask(served, '/bytes', { 'If-None-Match': '"a"' })).status).toBe(200)
    // Of the same size, within the same second.
    writeFileSync(path.join(repository, 'bytes'), file)
    expect((await part('bytes=0-1', { 'If-Range': tag })).status).toBe(200)
  })

  test('of an empty file', async () => {
    writeFileSync(path.join(repository, 'empty'), '')
    expect(await ask(served, '/empty')).toMatchObject({ status: 200, body: Buffer.alloc(0) })
    expect((await ask(served, '/empty', { Range: 'bytes=0-' })).status).toBe(416)
  })
})

describe('paths', () => {
  test.each([
    ...['/objects', '/objects/', '/refs/heads/', '//HEAD', '/./HEAD', '/HEAD/', '/HEAD/x'],
    ...[
      '/../secret',
      '/%2e%2e/secret',
      '/..%2fsecret',
      '/%2E%2e%2Fsecret',
      '/objects/../../secret',
    ],
    ...['/..\\secret', '/..%5csecret', '/up%5csecret', '/HEAD%00', '/HEAD%00.txt', '/%', '/%2'],
    ...['/link', '/up/secret', '/beside/secret', '/missing', '/HEAD::$DATA'],
    ...['/../repository-2/secret', 'http://other/HEAD', '*', `/${'a/'.repeat(5000)}`],
  ])('%s is not there', async (target) => {
    const { status, body } = await ask(served, target)
    expect([status, body.toString()]).toEqual([404, ''])
  })

  test('the folder itself is the viewer, once that is built', async () => {
    const { status, headers } = await ask(served, '/')
    const front = '/viewer/index.html?url=%2Frepository.git'
    const there = existsSync(viewerArchive)
    expect([status, headers.location]).toEqual(there ? [302, front] : [404, undefined])
  })

  test('names are bytes', async () => {
    const { status, body } = await ask(served, '/%ff%20b%25')
    expect([status, body.toString()]).toEqual([200, 'a name of bytes'])
  })

  test('a link within the repository is followed', async () => {
    expect((await ask(served, '/inside')).body.toString()).toBe('ref: refs/heads/main\n')
    expect((await ask(served, '/HEAD?query')).body.toString()).toBe('ref: refs/heads/main\n')
  })
})

describe('requests', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is refused', async (method) => {
    const { status, headers } = await ask(served, '/HEAD', {}, method)
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('by another name of this machine are refused: a page could use them', async () => {
    for (const [Host, expected] of [
      ['attacker.example', 421],
      ['attacker.example:80', 421],
      ['127.0.0.1.attacker.example', 421],
      ['localhost:1', 200],
      ['[::1]:1', 200],
    ] as const) {
      expect([Host, (await ask(served, '/HEAD', { Host })).status]).toEqual([Host, expected])
    }
  })

  test('pages of other origins read nothing without --cors', async () => {
    const { headers } = await ask(served, '/HEAD', { Origin: 'https://example.com' })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('with --cors, pages of that origin read by ranges', async () => {
    const server = await serve(repository, '--cors', 'https://example.com')
    for (const [method, status] of [
      ['GET', 206],
      ['OPTIONS', 204],
    ] as const) {
      const answer = await ask(server, '/bytes', { Range: 'bytes=0-1' }, method)
      expect([method, answer.status]).toEqual([method, status])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': 'https://example.com',
        'access-control-allow-headers': 'Range, If-Range, If-None-Match',
        'access-control-expose-headers': 'Accept-Ranges, Content-Range, ETag',
        vary: 'Origin',
      })
    }
    await server.end()
  })
})

describe('refuses to start', () => {
  test.each([
    [['serve', '/'], "fatal: not a git repository: '/'\n"],
    [['serve', '--port', '70000'], "fatal: '70000' is no port: a number from 0 to 65535\n"],
    [['serve', '--port', 'x'], "fatal: 'x' is no port: a number from 0 to 65535\n"],
    [
      ['serve', '--cors', 'example.com'],
      "fatal: 'example.com' is no origin, such as https://example.com, or *\n",
    ],
    [
      ['serve', '--cors', 'https://example.com/\r\nX: y'],
      "fatal: 'https://example.com/?\nX: y' is no origin, such as https://example.com, or *\n",
    ],
  ])('%j', (args, stderr) => {
    expect(run('main', args)).toMatchObject({ exit: 128, stderr })
  })

  test('at a port that is taken', () => {
    const { port } = new URL(served.url)
    const { exit, stderr } = runProcess(repository, ['serve', '--port', port])
    expect(exit).toBe(128)
    expect(stderr).toMatch(/^fatal: cannot listen: .*EADDRINUSE.*\n$/)
  })
})

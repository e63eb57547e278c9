/** `packlens serve` of the published package: the viewer shows the repository that is served. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture, folderOf } from '../node/support.ts'
import { launchers } from '../support/browsers.ts'
import { makeProject } from './support.ts'

const folder = makeProject('serve', {})
/** A name that is encoded in addresses. */
const repository = path.join(folder, 'my project')
const program = path.join(folder, 'node_modules', 'packlens', 'dist', 'node', 'cli', 'packlens.cjs')
let ended = async () => {}
let url = ''

beforeAll(async () => {
  mkdirSync(repository)
  cpSync(folderOf(fixture('main')), path.join(repository, '.git'), { recursive: true })
  const child = spawn(process.execPath, [program, 'serve', repository])
  const closed = once(child, 'close')
  ended = async () => {
    child.kill()
    await closed
  }
  let text = ''
  while (!text.endsWith("')\n")) text += (await once(child.stdout, 'data'))[0]
  url =
    /^Serving .* at (http:\S+)\nOpen that in a browser, or read it by await open\('\1'\)\n$/.exec(
      text,
    )?.[1] as string
})
afterAll(() => ended())

test('a browser at its address shows the repository, and asks nobody else', async () => {
  const browser = await launchers.chromium()
  try {
    const page = await browser.newPage()
    const requests: string[] = []
    const messages: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).origin))
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', ({ message }) => messages.push(message))
    await page.goto(url)
    const repo = openSync(path.join(repository, '.git'))
    const tree = repo.readTree('HEAD')
    if (!('entries' in tree)) throw new Error('HEAD has a tree')
    const [first] = tree.entries.filter(({ type }) => type === 'blob')
    await page
      .getByRole('link', { name: `${first?.name}`, exact: true })
      .first()
      .click()
    await page.getByText(`${first?.name}`).first().waitFor()
    expect(await page.title()).toContain('my project')
    expect(new Set(requests)).toEqual(new Set([new URL(url).origin]))
    expect(messages).toEqual([])
  } finally {
    await browser.close()
  }
})

test.each([
  ['viewer/index.html', 200, 'text/html; charset=utf-8'],
  ['viewer/', 404, null],
  ['viewer/toString', 404, null],
  ['my%20project.git/HEAD', 200, 'application/octet-stream'],
  ['other.git/HEAD', 404, null],
])('%s: %d, %s', async (name, status, type) => {
  const answer = await fetch(url + name)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type])
})

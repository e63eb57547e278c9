/** Pages in WebKitGTK, by the WebDriver protocol: Playwright drives only a WebKit of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from '../../scripts/lib/free-port.mjs'
import { webkit } from '../../scripts/lib/webkit.mjs'

export const hasWebKit = webkit() !== null

/** Starts a WebKit for the tests of a file; returns what opens a page, and returns its answer. */
export function useWebKit({ timeout = 20_000 } = {}): (url: string) => Promise<unknown> {
  const children: ChildProcess[] = []
  let base = ''
  beforeAll(async () => {
    const programs = webkit()
    if (!programs) throw new Error('there is no WebKit')
    const screen = spawn(programs.display, ['-displayfd', '3', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    children.push(screen)
    const [number] = await once(screen.stdio[3] as Readable, 'data')
    // The sandbox of its processes needs rights that containers lack.
    const env = {
      ...process.env,
      DISPLAY: `:${`${number}`.trim()}`,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    }
    // The driver does not say which port it chose itself.
    const port = await freePort()
    children.push(spawn(programs.driver, [`--port=${port}`], { env, stdio: 'ignore' }))
    base = `http://127.0.0.1:${port}`
    while (!(await fetch(`${base}/status`).catch(() => null))?.ok) await pause(50)
  })
  afterAll(() => {
    for (const child of children.reverse()) child.kill()
  })

  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const given = body && { body: JSON.stringify(body) }
    const response = await fetch(`${base}/session${path}`, { method, ...given })
    const { value } = (await response.json()) as { value: T & { message?: string } }
    if (!response.ok) throw new Error(`WebKit: ${value.message}`)
    return value
  }

  return async (url) => {
    // A session has storage of its own.
    const { sessionId } = await ask<{ sessionId: string }>('POST', '', { capabilities: {} })
    try {
      await ask('POST', `/${sessionId}/timeouts`, { script: timeout })
      await ask('POST', `/${sessionId}/url`, { url })
      return await ask('POST', `/${sessionId}/execute/async`, { script: answer, args: [] })
    } finally {
      await ask('DELETE', `/${sessionId}`)
    }
  }
}

/** Waits for the answer in the page's window, and for what it promises. */
const answer = `
const [done] = arguments
const look = () => {
  if (window.answer) window.answer.then(done, (error) => done(String(error)))
  else setTimeout(look, 20)
}
look()
`

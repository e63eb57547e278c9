/** Loading the module in a page that has not loaded it. */
import { load, openSync } from 'packlens'
import moduleUrl from 'packlens/packlens_bg.wasm?url'
import { expect, test } from 'vitest'
import { codeOf, errorOf, fixture, packs } from './support.ts'

const of = fixture('tiny')

/** The module from a slow server: sends it on release. */
function heldModule() {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      await held
      const response = await fetch(moduleUrl)
      controller.enqueue(new Uint8Array(await response.arrayBuffer()))
      controller.close()
    },
  })
  return {
    response: new Response(body, { headers: { 'Content-Type': 'application/wasm' } }),
    release,
  }
}

test('A synchronous opening needs the module, and concurrent loads share one', async () => {
  const source = await packs(of, (bytes) => bytes)
  const error = await errorOf(() => openSync(source))
  expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringContaining('load()')])
  const { response, release } = heldModule()
  const late = load(response)
  const early = load(moduleUrl)
  setTimeout(release, 200)
  await early
  const repo = openSync(source)
  await late
  for (const { oid, size } of of.objects) expect(repo.read(oid).size).toBe(size)
  repo.close()
  expect(await codeOf(() => repo.read('HEAD'))).toBe('CLOSED')
})

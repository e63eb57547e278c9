/** Runs an nginx during the browser tests, and provides its address. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startNginx } from '../../../scripts/lib/nginx-server.mjs'
import { whole } from '../support.ts'
import { makeScene, withOtherPacks, writeScene } from './scene.ts'
import { serveFixtures } from './served.ts'

/** Any page may read its files. */
const OPEN = 'add_header Access-Control-Allow-Origin *;'
/** Pages may also read the headers with the range and the version. */
const EXPOSED = `${OPEN} add_header Access-Control-Expose-Headers "Content-Range, ETag";`
const GZIP = 'gzip on; gzip_types *; gzip_min_length 0;'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const served = serveFixtures(whole)
  const made = mkdtempSync(path.join(tmpdir(), 'packlens-scene-'))
  const scene = makeScene(1)
  writeScene(withOtherPacks(scene), made)
  const { folder } = served
  const server = await startNginx([
    { prefix: '/closed/', folder },
    { prefix: '/open/', folder, lines: [OPEN] },
    { prefix: '/exposed/', folder, lines: [EXPOSED] },
    { prefix: '/open-gzip/', folder, lines: [OPEN, GZIP] },
    { prefix: '/exposed-gzip/', folder, lines: [EXPOSED, GZIP] },
    { prefix: '/scene/', folder: made, lines: [EXPOSED] },
  ])
  process.env.PACKLENS_NGINX_URL = server.url
  project.provide('nginx', { url: server.url, sceneOid: scene.oids[300] as string })
  return async () => {
    await server.stop()
    served.remove()
    rmSync(made, { recursive: true, force: true })
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server, and an object of the synthetic repository. */
    nginx: { readonly url: string; readonly sceneOid: string }
  }
}

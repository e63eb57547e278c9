/** A server of another site, which hands out the files of a repository. */
import { afterAll, beforeAll } from 'vitest'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { inRoot } from '../../scripts/lib/paths.mjs'
import type { Viewer } from './viewer.ts'

export const ALLOWS_PAGES = [
  'add_header Access-Control-Allow-Origin * always;',
  'add_header Access-Control-Expose-Headers "Content-Range, ETag" always;',
]

export interface FileServer {
  readonly url: string
  stop(): Promise<void>
}

/** Serves a repository at `/open/served.git`, and at `/closed/served.git` without leave for pages. */
export function useFileServer(viewer: Viewer): FileServer {
  let server: FileServer
  beforeAll(async () => {
    const folder = inRoot('target', 'fixtures', 'served')
    server = await startNginx([
      { prefix: '/open/served.git/', folder, lines: ALLOWS_PAGES },
      { prefix: '/closed/served.git/', folder },
    ])
    viewer.allow(server.url)
  })
  afterAll(() => server?.stop())
  return {
    get url() {
      return server.url
    },
    stop: () => server.stop(),
  }
}

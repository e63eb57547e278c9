// Serves the files of a repository's newest commit, out of object storage: /README.md and so on.
import { load, open } from 'packlens'
import module from './packlens.wasm'
import { signedFetch } from './sign.js'

const types = { css: 'text/css', html: 'text/html', js: 'text/javascript', md: 'text/markdown' }

export default {
  async fetch(request, env) {
    const path = pathOf(new URL(request.url))
    if (path === null) return new Response('bad request\n', { status: 400 })
    await load(module)
    const { S3_URL, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = env
    // A request of its own for each range: S3 takes one. Opened anew for each visitor, because
    // workerd lets no request wait for what another one fetches.
    const http = { fetch: signedFetch({ accessKey, secretKey }), multipart: false }
    const repo = await open(S3_URL, { http })
    try {
      const file = await repo.find(`HEAD:${path}`)
      const { requests, receivedBytes } = repo.stats()
      const cost = { 'x-requests': `${requests}`, 'x-received-bytes': `${receivedBytes}` }
      if (file?.type !== 'blob') return new Response('not found\n', { status: 404, headers: cost })
      const type = types[path.split('.').pop()] ?? 'text/plain'
      const headers = { ...cost, 'content-type': `${type}; charset=utf-8`, etag: `"${file.oid}"` }
      return new Response(file.data, { headers })
    } finally {
      repo.close()
    }
  },
}

function pathOf({ pathname }) {
  try {
    return decodeURIComponent(pathname.slice(1))
  } catch {
    return null
  }
}

// A Vite plugin that forwards requests to another server, so that a page can send
// them to its own origin. Requests and responses are not changed.
import { request } from 'node:http'

/** Forwards paths that begin with `prefix` to the address that `target` returns. */
export function piped(prefix, target) {
  return {
    name: 'packlens-piped',
    configureServer(server) {
      server.middlewares.use((incoming, outgoing, next) => {
        const address = target()
        if (!address || !incoming.url?.startsWith(prefix)) return next()
        const { method, headers } = incoming
        const url = `${address}/${incoming.url.slice(prefix.length)}`
        const onward = request(url, { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        })
        onward.once('error', () => outgoing.destroy())
        outgoing.once('close', () => onward.destroy())
        incoming.pipe(onward)
      })
    },
  }
}

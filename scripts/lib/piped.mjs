// A Vite plugin that hands requests on to another server, so that a page may ask
// it as one of its own origin. Nothing is changed on the way, there or back.
import { request } from 'node:http'

/** What begins with `prefix` goes to the address that `target` returns by then. */
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

// Finds a port for programs that do not choose one themselves.
import { createServer } from 'node:net'

/**
 * Returns a port of this machine at which nothing listens now.
 *
 * @returns {Promise<number>}
 */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

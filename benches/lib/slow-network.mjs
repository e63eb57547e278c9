// A network in front of a server: each response begins after a latency, and all of them share a
// bandwidth. Chromium's own emulation leaves out the requests of workers.
import http from 'node:http'

/** The bytes that are passed on at once. */
const PIECE = 4096

/**
 * Starts a proxy of a server. `mbit` is in megabits a second, `latency` in milliseconds. Returns its
 * address, how much passed it since the last `taken()`, and a function that stops it.
 */
export async function startSlowNetwork(server, { mbit, latency }) {
  const perByte = 8 / (mbit * 1000)
  let free = 0
  let passed = { requests: 0, bytes: 0 }

  const proxy = http.createServer((request, response) => {
    const { method, url, headers } = request
    const asked = http.request(new URL(url, server), { method, headers }, (answer) => {
      setTimeout(() => pass(answer, response), latency)
    })
    asked.on('error', () => response.destroy())
    response.on('close', () => asked.destroy())
    passed.requests++
    request.pipe(asked)
  })

  async function pass(answer, response) {
    response.writeHead(answer.statusCode, answer.headers)
    try {
      for await (const chunk of answer) {
        for (let at = 0; at < chunk.length; at += PIECE) {
          const piece = chunk.subarray(at, at + PIECE)
          free = Math.max(free, performance.now()) + piece.length * perByte
          await new Promise((resolve) => setTimeout(resolve, free - performance.now()))
          response.write(piece)
          passed.bytes += piece.length
        }
      }
      response.end()
    } catch {
      response.destroy()
    }
  }

  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    taken() {
      const taken = passed
      passed = { requests: 0, bytes: 0 }
      return taken
    },
    stop: () => {
      proxy.closeAllConnections()
      return new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** Turns of the event loop. */

declare const setImmediate: ((next: () => void) => unknown) | undefined

/** Lets what waits in this thread go first: events, and messages of workers. */
export function turn(): Promise<void> {
  return new Promise((next) => {
    // Timers of browsers, and of Node, wait for a millisecond at least.
    if (typeof setImmediate === 'function') setImmediate(next)
    else post(next)
  })
}

let channel: MessageChannel | undefined
const waiting: (() => void)[] = []

function post(next: () => void): void {
  if (!channel) {
    channel = new MessageChannel()
    channel.port1.onmessage = () => waiting.shift()?.()
  }
  waiting.push(next)
  channel.port2.postMessage(null)
}

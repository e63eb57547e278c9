/** Turns of the event loop. */

declare const setImmediate: ((next: () => void) => unknown) | undefined

/** Waits for a turn of the event loop, in which pending events and messages are handled. */
export function turn(): Promise<void> {
  return new Promise((next) => {
    // No timer: those of browsers and of Node wait for at least a millisecond.
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

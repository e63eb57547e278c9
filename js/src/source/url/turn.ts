/** Calls `next` in the next turn of the event loop, sooner than a timer could. */
export function nextTurn(next: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (next: () => void) => unknown }
  if (setImmediate) {
    setImmediate(next)
    return
  }
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    next()
  }
  port2.postMessage(null)
}

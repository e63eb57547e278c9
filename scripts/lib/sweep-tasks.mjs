// The tasks of the sweep of chunk sizes, in Node and in a browser.

/** The bytes of each write to a writer of frames, as from a stream. */
const PIECE = 64 << 10

/** Opens the pack; each task returns the number of bytes that it delivered. */
export async function makeTasks(packlens, { pack, idx, large, delta, framed }) {
  const repo = await packlens.open({ packs: [{ pack, idx }] })
  const drain = async (oid, chunkSize) => {
    const reader = repo.stream(oid, { chunkSize }).getReader()
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return size
      size += value.byteLength
    }
  }
  const piece = new Uint8Array(PIECE).fill(7)
  const frames = (chunkSize) => {
    const reader = new packlens.FrameReader()
    let size = 0
    const writer = new packlens.FrameWriter(
      (frame) => {
        for (const event of reader.read(frame)) {
          if (event.type === 'data') size += event.bytes.byteLength
        }
      },
      { chunkSize },
    )
    for (let at = 0; at < framed; at += PIECE) writer.write(piece)
    writer.end()
    return size
  }
  return {
    large: (chunkSize) => drain(large, chunkSize),
    delta: (chunkSize) => drain(delta, chunkSize),
    frames: async (chunkSize) => frames(chunkSize),
  }
}

/** Runs a task; returns seconds and bytes. */
export async function measure(tasks, name, chunkSize) {
  const start = performance.now()
  const bytes = await tasks[name](chunkSize)
  return { seconds: (performance.now() - start) / 1000, bytes }
}

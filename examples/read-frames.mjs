/** Reads the output of `packlens cat-file --frames`, and lists each answer: docs/frames.md. */
import { createHash } from 'node:crypto'
import { FrameReader } from 'packlens'

const reader = new FrameReader()
let begun = false
let hash = createHash('sha256')
let size = 0
let message = ''

for await (const bytes of process.stdin) {
  for (let rest = bytes; rest.byteLength > 0; ) rest = readOn(rest)
}
// A stream without an answer has no part, either.
if (begun) reader.finish()

/** Reads to the end of the bytes or of the part; returns the bytes after it. */
function readOn(bytes) {
  if (reader.ended) reader.nextPart()
  begun = true
  for (const event of reader.read(bytes)) {
    switch (event.type) {
      case 'data':
        hash.update(event.bytes)
        size += event.bytes.byteLength
        break
      case 'interruption':
        message += new TextDecoder().decode(event.bytes)
        break
      case 'interruptionEnd':
        process.stderr.write(`after ${size} bytes of an answer: ${message}`)
        message = ''
        break
      case 'end':
        console.log(`${hash.digest('hex')} ${size}`)
        hash = createHash('sha256')
        size = 0
        return event.rest
    }
  }
  return new Uint8Array()
}

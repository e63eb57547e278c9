// Exits with 0 if two archives have the same content: `node same-archive.mjs FILE FILE`. git's tests
// extract what is compressed; its bytes depend on the compressor.
import { readFileSync } from 'node:fs'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { zipRows } from '../../../tests/fixtures/archived-trees.mjs'

const [ours, theirs] = process.argv.slice(2).map((file) => readFileSync(file))

const isGzip = (bytes) => bytes.readUInt16BE(0) === 0x1f8b

/** Returns what a zip file has, whose data is that of its entries. */
function entriesOf(bytes) {
  const { rows, comment } = zipRows(bytes)
  const entries = rows.map(({ data, ...row }) => {
    const content = data.method === 8 ? inflateRawSync(data.bytes) : data.bytes
    return [row, content.toString('latin1')]
  })
  return JSON.stringify([entries, comment])
}

function isSame() {
  if (ours.length < 2 || theirs.length < 2) return false
  if (isGzip(ours) && isGzip(theirs)) return gunzipSync(ours).equals(gunzipSync(theirs))
  const areZips = [ours, theirs].every((bytes) => bytes.toString('latin1', 0, 2) === 'PK')
  return areZips && entriesOf(ours) === entriesOf(theirs)
}

process.exitCode = isSame() ? 0 : 1

/**
 * Has every test begin with the reader, as a page does: `PACKLENS_READER=1 npm test -- node`.
 * All answers must be the same. What these tests count of reads and memory is of one module.
 */
import { load } from 'packlens'
import { bytesOf } from './sources.ts'
import { root } from './support.ts'

const wasm = (name: string) => bytesOf(`${root}/dist/wasm/${name}`)

await load({ reader: wasm('packlens_reader.wasm'), wasm: wasm('packlens_bg.wasm') })

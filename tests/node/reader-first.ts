/**
 * Runs every test with the reader first, as in a page: `PACKLENS_READER=1 npm test -- node`.
 * All answers must be equal. Tests that count reads and memory expect one module.
 */
import { load } from 'packlens'
import { bytesOf } from './sources.ts'
import { root } from './support.ts'

const wasm = (name: string) => bytesOf(`${root}/dist/wasm/${name}`)

await load({
  reader: wasm('packlens_reader.wasm'),
  wasm: wasm('packlens_bg.wasm'),
  rest: wasm('packlens_rest.wasm'),
})

// A page as a user of the package would bundle it, for worker.test.ts.
import { open } from 'packlens'

globalThis.read = async (pack, idx, spec) => {
  const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  const source = { packs: [{ pack: bytes(pack), idx: bytes(idx) }] }
  await using repo = await open(source, { worker: true })
  const { oid, size } = await repo.read(spec)
  return { oid, size }
}

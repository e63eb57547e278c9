/** The worker's end of a source that stays in the page: asks the page for its files. */
import type { FileStore, LentFile } from '../source/store.js'
import type { Link } from './link.js'
import type { StoreNotice, StoreQuestion, WireFile } from './messages.js'

export function remoteStore(link: Link): FileStore {
  const ask = (question: StoreQuestion, signal?: AbortSignal) => link.ask(question, signal)
  return {
    async open(path, bytes, { near, signal } = {}) {
      const question: StoreQuestion = { kind: 'open', path, bytes, near }
      const found = (await ask(question, signal)) as WireFile | null
      return found && remoteFile(link, found)
    },
    fetch: (oids, { signal }) => ask({ kind: 'fetch', oids }, signal) as Promise<void>,
    list: (path, bytes) => ask({ kind: 'list', path, bytes }) as Promise<(string | Uint8Array)[]>,
  }
}

function remoteFile(link: Link, { file, ...facts }: WireFile): LentFile {
  return {
    ...facts,
    read(offset, length, { signal }) {
      const question: StoreQuestion = { kind: 'read', file, offset, length }
      return link.ask(question, signal) as Promise<Uint8Array>
    },
    close() {
      const notice: StoreNotice = { kind: 'close', file }
      link.notify(notice)
    },
  }
}

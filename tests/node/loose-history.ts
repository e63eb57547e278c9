/** Makes a long history of loose commits, without git. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Store } from 'packlens'

const NO_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

export interface LooseHistory {
  readonly first: string
  readonly last: string
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** Makes `count` commits, each the parent of the next, and a chain of tags of the last. */
export function looseHistory(commits: number, tags: number): LooseHistory {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const put = (type: string, text: string): string => {
    const raw = Buffer.from(`${type} ${Buffer.byteLength(text)}\0${text}`)
    const oid = createHash('sha1').update(raw).digest('hex')
    files.set(`objects/${oid.slice(0, 2)}/${oid.slice(2)}`, bytesOf(deflateSync(raw, { level: 1 })))
    return oid
  }
  const ids: string[] = []
  for (let at = 0; at < commits; at++) {
    const by = `A <a@b> ${1_400_000_000 + at} +0000`
    const parent = at === 0 ? '' : `parent ${ids[at - 1]}\n`
    ids.push(put('commit', `tree ${NO_TREE}\n${parent}author ${by}\ncommitter ${by}\n\n${at}\n`))
  }
  const [first = '', last = ''] = [ids[0], ids.at(-1)]
  let [tagged, type] = [last, 'commit']
  for (let at = 0; at < tags; at++) {
    const head = `object ${tagged}\ntype ${type}\ntag t${at}\ntagger A <a@b> 1 +0000\n\n${at}\n`
    tagged = put('tag', head)
    type = 'tag'
  }
  const texts = {
    HEAD: 'ref: refs/heads/main\n',
    'refs/heads/main': `${last}\n`,
    'refs/tags/chain': `${tagged}\n`,
    config: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  }
  for (const [name, text] of Object.entries(texts)) files.set(name, bytesOf(Buffer.from(text)))
  return { first, last, files }
}

/** The files as a synchronous source. */
export function storeOfFiles(files: LooseHistory['files']): Store {
  return {
    get: (name) => files.get(name) ?? null,
    list: (folder) => {
      const below = [...files.keys()].filter((name) => name.startsWith(`${folder}/`))
      const names = below.map((name) => name.slice(folder.length + 1))
      return [...new Set(names.map((name) => name.replace(/\/.*/, '/')))]
    },
  }
}

/** Writes the files into a folder of their own. */
export function folderOfFiles(files: LooseHistory['files']): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-loose-'))
  for (const [name, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), bytes)
  }
  mkdirSync(path.join(folder, 'refs'), { recursive: true })
  return folder
}

function bytesOf(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}

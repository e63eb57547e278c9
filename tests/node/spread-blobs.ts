/** Makes a repository for a server: folders of blobs that are far apart in its pack. */
import { entryOf, indexed, objectId } from './blob-pack.ts'
import type { ServedFile } from './servers/faulty.ts'
import { noise } from './sources.ts'

const PACK = `objects/pack/pack-${'6'.repeat(40)}.pack`

export interface ServedTrees {
  readonly files: ReadonlyMap<string, ServedFile>
  /** The size of each blob, by its path. */
  readonly sizes: ReadonlyMap<string, number>
}

/** Makes `folders` folders of `each` blobs in one tree, and a commit of it. */
export function servedTrees(folders: number, each: number): ServedTrees {
  const entries: Buffer[] = []
  const oids: string[] = []
  const sizes = new Map<string, number>()
  const put = (type: 'blob' | 'tree' | 'commit', content: Uint8Array) => {
    entries.push(entryOf(type, content))
    oids.push(objectId(type, content))
    return oids.at(-1) as string
  }
  const line = (mode: string, name: string, oid: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => `${at}`.padStart(2, '0'))
  const trees = names(folders).map((folder) => {
    const blobs = names(each).map((name, at) => {
      const size = 90_000 + sizes.size
      sizes.set(`${folder}/${name}`, size)
      return line('100644', name, put('blob', noise(sizes.size + at, size)))
    })
    return line('40000', folder, put('tree', Buffer.concat(blobs)))
  })
  const tree = put('tree', Buffer.concat(trees))
  const person = 'A U Thor <author@example.com> 1700000000 +0000'
  const commit = put(
    'commit',
    Buffer.from(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nmessage\n`),
  )
  const { pack, idx } = indexed(entries, oids)
  const files = {
    HEAD: 'ref: refs/heads/main\n',
    'info/refs': `${commit}\trefs/heads/main\n`,
    'objects/info/packs': `P ${PACK.replace(/.*\//, '')}\n\n`,
    [PACK]: pack,
    [PACK.replace('.pack', '.idx')]: idx,
  }
  const served = Object.entries(files).map(([path, bytes]) => {
    return [`/repo.git/${path}`, { bytes: Buffer.from(bytes as Buffer) }] as const
  })
  return { files: new Map(served), sizes }
}

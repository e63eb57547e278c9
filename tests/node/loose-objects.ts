/** Makes small repositories of loose objects, for tests without answers of git. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'

/** Makes a bare repository whose HEAD is `refs/heads/main`, without any object. */
export function makeRepository(folder: string): void {
  for (const name of ['objects', 'refs/heads', 'refs/tags']) {
    mkdirSync(path.join(folder, name), { recursive: true })
  }
  writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(
    path.join(folder, 'config'),
    '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  )
}

/** Stores an object and returns its id. */
export function loose(folder: string, type: string, content: Uint8Array | string): string {
  const body = Buffer.from(content as string)
  const data = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  const oid = createHash('sha1').update(data).digest('hex')
  const directory = path.join(folder, 'objects', oid.slice(0, 2))
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, oid.slice(2)), deflateSync(data))
  return oid
}

/** Stores a tree; its entries must be in git's order. */
export function looseTree(
  folder: string,
  entries: readonly { mode: string; name: string; oid: string }[],
): string {
  const parts = entries.flatMap(({ mode, name, oid }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(oid, 'hex'),
  ])
  return loose(folder, 'tree', Buffer.concat(parts))
}

export interface CommitParts {
  readonly tree: string
  readonly parents?: readonly string[]
  readonly author?: string
  readonly committer?: string
  readonly message?: string
}

const SOMEBODY = 'A U Thor <author@example.com> 1112911993 -0700'

/** Stores a commit. */
export function looseCommit(folder: string, parts: CommitParts): string {
  const { tree, parents = [], author = SOMEBODY, committer = SOMEBODY, message = 'one\n' } = parts
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author}`,
    `committer ${committer}`,
  ]
  return loose(folder, 'commit', `${lines.join('\n')}\n\n${message}`)
}

/** Makes repositories that try to hang the reader, to open files, or to take all memory. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { indexedPackOf } from '../blob-pack.ts'

const BY = 'A U Thor <author@example.com> 1700000000 +0000'

/** Makes a bare repository of loose objects in a folder. */
export class Maker {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    for (const part of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info']) {
      mkdirSync(this.at(part), { recursive: true })
    }
    this.write('HEAD', 'ref: refs/heads/main\n')
    this.write('config', '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  }

  at(name: string): string {
    return path.join(this.folder, name)
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true })
    writeFileSync(this.at(name), content)
  }

  /** Writes an object and returns its id. */
  object(type: string, content: string | Uint8Array): string {
    const bytes = Buffer.concat([
      Buffer.from(`${type} ${Buffer.byteLength(content)}\0`),
      Buffer.from(content),
    ])
    const oid = createHash('sha1').update(bytes).digest('hex')
    this.write(`objects/${oid.slice(0, 2)}/${oid.slice(2)}`, deflateSync(bytes))
    return oid
  }

  tree(...entries: [mode: string, name: string | Uint8Array, oid: string][]): string {
    const parts = entries.flatMap(([mode, name, oid]) => [
      Buffer.from(`${mode} `),
      Buffer.from(name as string),
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ])
    return this.object('tree', Buffer.concat(parts))
  }

  commit(tree: string, parents: readonly string[] = [], more = ''): string {
    const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)]
    return this.object(
      'commit',
      `${lines.join('\n')}\nauthor ${BY}\ncommitter ${BY}\n${more}\nmessage\n`,
    )
  }

  tag(target: string, type: string, name: string): string {
    return this.object(
      'tag',
      `object ${target}\ntype ${type}\ntag ${name}\ntagger ${BY}\n\nmessage\n`,
    )
  }
}

/** Content that every repository has, to check that the instance still works. */
export const KNOWN = 'known\n'
export const KNOWN_ID = createHash('sha1').update(`blob ${KNOWN.length}\0${KNOWN}`).digest('hex')

/** Makes a repository with two commits on `main`, and hostile content. */
function with_(change: (made: Maker, head: string, first: string) => void) {
  return (folder: string) => {
    const made = new Maker(folder)
    const blob = made.object('blob', KNOWN)
    const tree = made.tree(['100644', 'README.md', blob])
    const first = made.commit(tree)
    const head = made.commit(tree, [first])
    made.write('refs/heads/main', `${head}\n`)
    change(made, head, first)
  }
}

const long = 'q'.repeat(250)

type Repositories = Readonly<Record<string, (folder: string) => void>>

/** Repositories with a missing file, a file of another kind, or junk in place of a file. */
const byFiles: Repositories = {
  'nothing hostile': with_(() => {}),
  'pipes for files': with_((made) => {
    const pipes = [
      'refs/heads/pipe',
      'packed-refs',
      'commondir',
      'objects/info/alternates',
      'shallow',
      'info/grafts',
      'index',
      'logs/HEAD',
      'objects/pack/pack-1.idx',
      'objects/pack/pack-1.pack',
      'objects/info/commit-graph',
    ]
    for (const pipe of pipes) {
      mkdirSync(path.dirname(made.at(pipe)), { recursive: true })
      const { status } = spawnSync('mkfifo', [made.at(pipe)])
      if (status !== 0) throw new Error('mkfifo failed')
    }
  }),
  'directories for files': with_((made) => {
    for (const name of [
      'packed-refs',
      'shallow',
      'info/grafts',
      'index',
      'objects/pack/pack-1.idx',
      'objects/pack/pack-1.pack',
      'objects/info/alternates',
      'objects/info/commit-graph',
    ]) {
      mkdirSync(made.at(name), { recursive: true })
    }
  }),
  'files for directories': with_((made) => {
    for (const name of ['objects/pack', 'objects/info', 'refs/tags', 'info']) {
      rmSync(made.at(name), { recursive: true })
      made.write(name, 'a file')
    }
  }),
  'empty files': with_((made) => {
    for (const name of [
      'packed-refs',
      'shallow',
      'info/grafts',
      'index',
      'refs/heads/empty',
      'objects/pack/pack-1.idx',
      'objects/pack/pack-1.pack',
      'objects/info/alternates',
      'objects/info/commit-graph',
      'objects/pack/multi-pack-index',
      'logs/HEAD',
    ]) {
      made.write(name, '')
    }
  }),
  'alternates that lead round in a circle': with_((made) => {
    made.write(
      'objects/info/alternates',
      `${made.at('objects')}\n../objects\n${'x'.repeat(70_000)}\n/\n`,
    )
  }),
  'files of settings that are junk': with_((made) => {
    const junk = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) & 255))
    for (const name of [
      'shallow',
      'info/grafts',
      'index',
      'objects/info/alternates',
      'objects/info/commit-graph',
      'objects/pack/multi-pack-index',
      'logs/HEAD',
      'logs/refs/heads/main',
      'objects/pack/pack-1.idx',
      'objects/pack/pack-1.pack',
      'refs/heads/junk',
    ]) {
      made.write(name, junk)
    }
  }),
  'four thousand packs': with_((made) => {
    const { pack, idx } = indexedPackOf(Buffer.from('one'), Buffer.from('two'))
    made.write('objects/pack/pack-0.pack', pack)
    made.write('objects/pack/pack-0.idx', idx)
    for (let at = 1; at < 4000; at++) {
      for (const kind of ['pack', 'idx']) {
        copyFileSync(
          made.at(`objects/pack/pack-0.${kind}`),
          made.at(`objects/pack/pack-${at}.${kind}`),
        )
      }
    }
  }),
  'one damaged pack among ten': with_((made) => {
    for (let at = 0; at < 10; at++) {
      const { pack, idx } = indexedPackOf(Buffer.from(`one ${at}`), Buffer.from(`two ${at}`))
      made.write(`objects/pack/pack-${at}.pack`, at === 4 ? new Uint8Array(12) : pack)
      made.write(`objects/pack/pack-${at}.idx`, at === 7 ? idx.subarray(0, 100) : idx)
    }
  }),
}

/** Repositories with hostile names, refs and reflogs. */
const byRefs: Repositories = {
  'dangling and looping links among refs': with_((made) => {
    symlinkSync('nowhere', made.at('refs/heads/dangling'))
    symlinkSync('loop', made.at('refs/heads/loop'))
    symlinkSync('b', made.at('refs/tags/a'))
    symlinkSync('a', made.at('refs/tags/b'))
    symlinkSync('.', made.at('refs/heads/self'))
  }),
  'symbolic refs that lead round in a circle': with_((made) => {
    made.write('refs/heads/a', 'ref: refs/heads/b\n')
    made.write('refs/heads/b', 'ref: refs/heads/a\n')
    made.write('HEAD', 'ref: refs/heads/a\n')
  }),
  'a HEAD that names itself': with_((made) => made.write('HEAD', 'ref: HEAD\n')),
  'very long names': with_((made, head) => {
    made.write('refs/heads/long', `ref: refs/heads/${'q'.repeat(5000)}\n`)
    made.write(`refs/heads/${long}`, `${head}\n`)
    made.write(
      'packed-refs',
      `# pack-refs with: peeled fully-peeled sorted \n${head} refs/tags/${'q'.repeat(5000)}\n`,
    )
    const blob = made.object('blob', 'x')
    const tree = made.tree(['100644', 'q'.repeat(1 << 20), blob])
    made.write('refs/heads/main', `${made.commit(tree, [head])}\n`)
  }),
  'control characters in names': with_((made, head) => {
    made.write('refs/heads/a\x1b]0;title\x07', `${head}\n`)
    made.write('refs/heads/b\r\nc', `${head}\n`)
    made.write('packed-refs', `${head} refs/tags/\x1b[2J\x7f\x01\n${head} refs/tags/z\n`)
    const tree = made.tree(['100644', '\x1b[31mred', KNOWN_ID], ['100644', 'a\nb', KNOWN_ID])
    made.write('refs/heads/main', `${made.commit(tree, [head])}\n`)
  }),
  'a packed-refs that is junk': with_((made) => {
    made.write(
      'packed-refs',
      Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) & 255)),
    )
  }),
  'ten thousand loose refs': with_((made, head) => {
    for (let at = 0; at < 10_000; at++) made.write(`refs/heads/n/${at}`, `${head}\n`)
  }),
  'a reflog without line ends': with_((made, head) => {
    made.write('logs/HEAD', '')
    for (let at = 0; at < 20; at++)
      appendFileSync(made.at('logs/HEAD'), `${head} ${head} ${'x'.repeat(100_000)}`)
  }),
}

/** Repositories with hostile objects and replacements. */
const byObjects: Repositories = {
  'a circle of parents by a replace ref': with_((made, head, first) => {
    made.write(`refs/replace/${first}`, `${head}\n`)
  }),
  'a circle of parents by grafts': with_((made, head, first) => {
    made.write('info/grafts', `${first} ${head}\n`)
  }),
  'replace refs that lead round in a circle': with_((made, head, first) => {
    made.write(`refs/replace/${first}`, `${head}\n`)
    made.write(`refs/replace/${head}`, `${first}\n`)
  }),
  'a chain of a thousand tags': with_((made, head) => {
    let [target, type] = [head, 'commit']
    for (let at = 0; at < 1000; at++) [target, type] = [made.tag(target, type, `t${at}`), 'tag']
    made.write('refs/tags/deep', `${target}\n`)
  }),
  'seven million header lines': with_((made, head) => {
    const more = Buffer.alloc(7_000_000 * 4, 'a b\n')
    const tree = made.tree(['100644', 'README.md', KNOWN_ID])
    made.write('refs/heads/main', `${made.commit(tree, [head], more.toString('latin1'))}\n`)
  }),
  'a tree of a million entries without order': with_((made, head) => {
    const entry = Buffer.concat([Buffer.from('100644 a\0'), Buffer.from(KNOWN_ID, 'hex')])
    const tree = made.object('tree', Buffer.concat(Array.from({ length: 1_000_000 }, () => entry)))
    made.write('refs/heads/main', `${made.commit(tree, [head])}\n`)
  }),
  'trees below trees without an end in sight': with_((made, head) => {
    let tree = made.tree(['100644', 'a', KNOWN_ID])
    for (let at = 0; at < 3000; at++) tree = made.tree(['40000', 'd', tree])
    made.write('refs/heads/deep', `${made.commit(tree, [head])}\n`)
  }),
  'ten to the tenth paths of twelve objects': with_((made, head) => {
    let tree = made.tree(['100644', 'a', KNOWN_ID])
    for (let at = 0; at < 10; at++) {
      tree = made.tree(
        ...Array.from(
          { length: 10 },
          (_, n) => ['40000', `d${n}`, tree] as [string, string, string],
        ),
      )
    }
    made.write('refs/heads/bomb', `${made.commit(tree, [head])}\n`)
  }),
  'no objects at all': with_((made) => {
    for (const name of readdirSync(made.at('objects'))) {
      if (name !== KNOWN_ID.slice(0, 2)) rmSync(made.at(`objects/${name}`), { recursive: true })
    }
  }),
}

/** The families; tests/node has a test file for each: see hostile/asked.ts. */
export const families = { files: byFiles, refs: byRefs, objects: byObjects }

export const hostile: Repositories = { ...byFiles, ...byRefs, ...byObjects }

/** Repositories of which git reads no object either: replacements cannot be known. */
export const unreadable: ReadonlySet<string> = new Set(['a packed-refs that is junk'])

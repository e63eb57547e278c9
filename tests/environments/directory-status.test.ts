/**
 * The status of a work tree that a page was given as a folder: of OPFS in Chromium and Firefox, and
 * of the disk in Chromium, where folders are dropped.
 */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { StatusEntry } from 'packlens'
import type { Page } from 'playwright'
import { afterAll, describe, expect, test } from 'vitest'
import { conflicted, gitIn, madeWorktree, settledWorktree, write } from '../node/made-worktree.ts'
import { page, serve, useBrowser } from './page.ts'
import { makeProject } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-handles-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the page says of a work tree. */
interface Answer {
  readonly rows: readonly StatusEntry[]
  readonly inWorker: readonly StatusEntry[]
  readonly ignored: readonly boolean[]
  readonly attributes: readonly string[][]
  readonly filesOpened: number
  readonly writes: readonly string[]
}

const ASKED = ['new/two', 'x.o', 'b/ignored.log', 'a.txt', 'b/c.txt', 'build/']

const script = `
import { open } from './node_modules/packlens/dist/packlens.js'
const writes = []
function watch(owner, name, isWrite) {
  const own = owner.prototype[name]
  if (!own) return
  owner.prototype[name] = function (...args) {
    if (isWrite(...args)) writes.push(name)
    return own.apply(this, args)
  }
}
async function rowsOf(repo) {
  const rows = []
  for await (const row of repo.status({ ignored: 'traditional' })) rows.push(row.toJSON())
  return rows
}
window.ask = async (handle) => {
  for (const name of ['createWritable', 'createSyncAccessHandle', 'move', 'remove']) {
    watch(FileSystemFileHandle, name, () => true)
  }
  watch(FileSystemDirectoryHandle, 'removeEntry', () => true)
  for (const name of ['getFileHandle', 'getDirectoryHandle']) {
    watch(FileSystemDirectoryHandle, name, (_, options) => options?.create === true)
  }
  const repo = await open(handle)
  const rows = await rowsOf(repo)
  const { filesOpened } = repo.stats()
  const rules = await repo.checkIgnore(${JSON.stringify(ASKED)})
  const found = await repo.checkAttr(${JSON.stringify(ASKED)}, { attributes: ['text', 'eol'] })
  const word = (value) => ({ true: 'set', false: 'unset', undefined: 'unspecified' })[value] ?? value
  const attributes = found.map((one) => [word(one.get('text')), word(one.get('eol'))])
  const inWorker = await rowsOf(await open(handle, { worker: true }))
  const ignored = rules.map((rule) => rule?.isIgnored ?? false)
  return { rows, inWorker, ignored, attributes, filesOpened, writes }
}
window.copied = async () => {
  const root = await navigator.storage.getDirectory()
  const files = await (await fetch('files.json')).json()
  for (const [path, text] of files) {
    const names = path.split('/')
    let at = root
    for (const name of names.slice(0, -1)) at = await at.getDirectoryHandle(name, { create: true })
    const stream = await (await at.getFileHandle(names.at(-1), { create: true })).createWritable()
    await stream.write(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
    await stream.close()
  }
  return root
}
window.answer = 'ready'
`

/** The functions of the page. */
interface Stage {
  ask(handle: FileSystemDirectoryHandle): Promise<Answer>
  copied(): Promise<FileSystemDirectoryHandle>
}

/** Makes a work tree in which all kinds of changes are. */
function changed(name: string): string {
  const place = madeWorktree(path.join(folder, name))
  write(place, '.gitattributes', '*.crlf text eol=crlf\na.txt -text\n')
  write(place, 'lines.crlf', 'one\r\ntwo\r\n')
  write(place, 'many/deleted', 'deleted\n')
  for (const link of ['link', 'gone-link', 'replaced-link']) {
    symlinkSync('a.txt', path.join(place, link))
  }
  gitIn(place, 'init', '-q', 'inner')
  write(place, 'inner/file', 'inner\n')
  gitIn(path.join(place, 'inner'), 'add', '.')
  gitIn(path.join(place, 'inner'), 'commit', '-q', '-m', 'inner')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'second')
  gitIn(path.join(place, 'inner'), 'commit', '-q', '--allow-empty', '-m', 'another')
  conflicted(place)
  rmSync(path.join(place, 'gone-link'))
  rmSync(path.join(place, 'replaced-link'))
  write(place, 'replaced-link', 'a file\n')
  rmSync(path.join(place, 'many/deleted'))
  write(place, 'many/7', 'longer than before\n')
  write(place, 'many/8', '2')
  gitIn(place, 'mv', 'x/y/z.txt', 'moved.txt')
  write(place, 'b/c.txt', 'staged\n')
  gitIn(place, 'add', 'b/c.txt')
  write(place, 'b/c.txt', 'more\n')
  write(place, '.gitignore', '*.o\nbuild/\n')
  write(place, 'b/.gitignore', '*.log\n')
  for (const name of ['x.o', 'b/ignored.log', 'build/out', 'new/one', 'new/two', 'über']) {
    write(place, name, '')
  }
  // A repository that is none of ours, and a worktree of one that the page cannot see.
  gitIn(place, 'init', '-q', 'nested')
  write(place, 'nested/file', '')
  gitIn(folder, 'init', '-q', `${name}-other`)
  const other = path.join(folder, `${name}-other`)
  gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'other')
  gitIn(other, 'worktree', 'add', '-q', path.join(place, 'linked'))
  return place
}

const LETTERS: Readonly<Record<string, string>> = { 'type-changed': 'T', unknown: 'X' }
const letter = (word: string | null) =>
  word === null ? ' ' : (LETTERS[word] ?? word.charAt(0).toUpperCase())

/** Returns rows in the form of `git status --porcelain -z`, sorted. */
function lines(rows: readonly StatusEntry[]): string[] {
  const all = rows.map((row) => {
    if (row.kind === 'untracked') return `?? ${row.path}`
    if (row.kind === 'ignored') return `!! ${row.path}`
    if (row.kind === 'unmerged') return `UU ${row.path}`
    if (row.kind === 'unchanged') return `   ${row.path}`
    return `${letter(row.staged)}${letter(row.unstaged)} ${row.path}`
  })
  return all.sort()
}

/** Returns git's answer in that form; it gets no modes either. */
function gitLines(place: string): string[] {
  const options = ['--porcelain', '-z', '--ignored', '--ignore-submodules=dirty']
  const answer = gitIn(place, '-c', 'core.fileMode=false', 'status', ...options)
  const all = Buffer.from(answer, 'latin1').toString().split('\0').slice(0, -1)
  // The old path of a renamed file follows it.
  return all.filter((_, at) => !all[at - 1]?.startsWith('R')).sort()
}

/** The lines of git, with symbolic links as a page reports them. */
function expectedLines(place: string): string[] {
  const own = gitLines(place).filter((line) => !line.endsWith(' gone-link'))
  return [...own, ' X gone-link', ' X link'].sort()
}

function expectAnswer(answer: Answer, place: string): void {
  expect(lines(answer.rows)).toEqual(expectedLines(place))
  expect(answer.inWorker).toEqual(answer.rows)
  expect(answer.writes).toEqual([])
  const ignored = gitIn(place, 'check-ignore', '-v', '-n', ...ASKED)
    .trimEnd()
    .split('\n')
  expect(answer.ignored).toEqual(ignored.map((line) => !line.startsWith('::')))
  const attributes = gitIn(place, 'check-attr', '-z', 'text', 'eol', '--', ...ASKED).split('\0')
  const values = ASKED.map((_, at) => [attributes[6 * at + 2], attributes[6 * at + 5]])
  expect(answer.attributes).toEqual(values)
}

/** Returns what would change if anything were written. */
function factsOf(place: string): string[] {
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' })
  const existing = names.filter((name) => !name.endsWith('link'))
  return existing.map((name) => {
    const { mtimeNs, ctimeNs, ino } = statSync(path.join(place, name), { bigint: true })
    return `${name} ${mtimeNs} ${ctimeNs} ${ino}`
  })
}

/** Returns the files of a work tree, as a copy without links has them. */
function filesOf(place: string): [name: string, base64: string][] {
  const all = readdirSync(place, { recursive: true, encoding: 'utf8', withFileTypes: true })
  return all.flatMap((entry) => {
    if (!entry.isFile()) return []
    const file = path.join(entry.parentPath, entry.name)
    return [[path.relative(place, file), readFileSync(file, 'base64')]]
  })
}

function project(name: string, files: [name: string, base64: string][] = []): string {
  const all = { 'index.html': page, 'page.js': script, 'files.json': JSON.stringify(files) }
  return makeProject(name, all)
}

describe.each(['chromium', 'firefox'] as const)('a folder of OPFS in %s', (name) => {
  const open = useBrowser({ name })

  test('has the status of git, without its symbolic links', async () => {
    const place = changed(`opfs-${name}`)
    const site = await serve(project(`status-${name}`, filesOf(place)))
    try {
      const answer = await open(site.url, async (page) => {
        await page.waitForFunction('window.answer')
        return page.evaluate(async () => {
          const stage = window as unknown as Stage
          return stage.ask(await stage.copied())
        })
      })
      expectAnswer(answer as Answer, place)
    } finally {
      site.close()
    }
  })
})

describe('a folder of the disk in Chromium', () => {
  const open = useBrowser()

  async function answerOf(place: string): Promise<Answer> {
    const site = await serve(project('status-disk'))
    try {
      return (await open(site.url, async (page) => {
        await page.waitForFunction('window.answer')
        const dropped = page.evaluate(dropOnPage)
        await drop(page, place)
        return dropped
      })) as Answer
    } finally {
      site.close()
    }
  }

  test('has the status of git, without its symbolic links', async () => {
    const place = changed('disk')
    const before = factsOf(place)
    const answer = await answerOf(place)
    expect(factsOf(place)).toEqual(before)
    expectAnswer(answer, place)
  })

  test('a file is read only if its size is the same and its second is another', async () => {
    const few = await answerOf(settledWorktree(path.join(folder, 'few'), 3))
    const place = settledWorktree(path.join(folder, 'many'), 60)
    const many = await answerOf(place)
    expect([few.rows, many.rows]).toEqual([[], []])
    expect(many.filesOpened).toBe(few.filesOpened)
    const touch = (name: string, text: string) => {
      write(place, name, text)
      utimesSync(path.join(place, name), 1_000_000_001, 1_000_000_001)
    }
    touch('7.txt', '7\n')
    touch('8.txt', '9\n')
    touch('9.txt', 'longer\n')
    const touched = await answerOf(place)
    expect(lines(touched.rows)).toEqual([' M 8.txt', ' M 9.txt'])
    expect(touched.filesOpened).toBe(few.filesOpened + 2)
  })
})

/** Returns the answer about the folder that is dropped next. */
function dropOnPage(): Promise<Answer> {
  return new Promise((resolve, reject) => {
    addEventListener('dragover', (event) => event.preventDefault())
    addEventListener('drop', (event) => {
      event.preventDefault()
      const [item] = event.dataTransfer?.items ?? []
      const withHandle = item as unknown as {
        getAsFileSystemHandle(): Promise<FileSystemDirectoryHandle>
      }
      const { ask } = window as unknown as Stage
      withHandle.getAsFileSystemHandle().then(ask).then(resolve, reject)
    })
  })
}

async function drop(page: Page, file: string): Promise<void> {
  const hand = await page.context().newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await hand.send('Input.dispatchDragEvent', { type, x: 20, y: 20, data })
  }
}

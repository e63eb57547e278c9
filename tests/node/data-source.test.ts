/**
 * examples/data-source answers random calls as git does. PACKLENS_DATA_SOURCE names another
 * repository than the fixture, PACKLENS_DATA_SOURCE_SEED other calls.
 */
import { isUtf8 } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { open } from 'packlens'
import { afterAll, expect, test } from 'vitest'
import { DataSource } from '../../examples/data-source/data-source.ts'
import { joined, namesOf } from '../../examples/data-source/paths.ts'
import type { Commit, Entry } from '../../examples/data-source/types.ts'
import { numbersFrom } from './seeded-random.ts'
import { fixture, gitDirectoryOf } from './support.ts'

const CALLS = 500

const gitDir = process.env.PACKLENS_DATA_SOURCE ?? gitDirectoryOf(fixture('main'))
const seed = Number(process.env.PACKLENS_DATA_SOURCE_SEED ?? 1)
let number = numbersFrom(seed)
const random = (below: number) => Math.floor(number() * below)
const maybe = (often: number) => random(often) === 0
function one<T>(list: readonly T[]): T {
  return list[random(list.length)] as T
}

/** What git printed, by its arguments: the repository does not change. Emptied when it is large. */
const printed = new Map<string, string | null>()
let kept = 0

/** What git prints, a byte a character; `null` if it fails. A process takes longer than most answers. */
function git(args: readonly string[], ref = 'HEAD'): string | null {
  const key = [ref, ...args].join('\0')
  const known = printed.get(key)
  if (known !== undefined) return known
  const answer = runGit(args, ref)
  kept += answer?.length ?? 0
  if (kept > 64 << 20) {
    printed.clear()
    kept = 0
  }
  printed.set(key, answer)
  return answer
}

function runGit(args: readonly string[], ref: string): string | null {
  const env = {
    ...process.env,
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' },
    // As packlens does, a newer git takes the attributes of the searched tree.
    GIT_ATTR_SOURCE: ref,
  }
  const all = ['--git-dir', gitDir, ...args].map((arg) => Buffer.from(arg, 'latin1').toString())
  const { status, stdout } = spawnSync('git', all, { env, maxBuffer: 1 << 30 })
  return status === 0 ? stdout.toString('latin1') : null
}
const lines = (printed: string | null) => printed?.split('\n').slice(0, -1) ?? []
const fields = (printed: string | null) => printed?.split('\0').slice(0, -1) ?? []
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const utf8 = (text: string) => Buffer.from(text, 'latin1').toString()
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

const refLines = lines(git(['for-each-ref', '--format=%(objecttype) %(*objecttype) %(refname)']))
const refs = refLines
  .filter((line) => /^commit|^tag commit/.test(line))
  .map((line) => line.split(' ').at(-1) ?? '')
const commits = lines(git(['rev-list', '--all', '--max-count=2000']))
const names = refLines.flatMap((line) => /refs\/(?:heads|tags)\/(.*)/.exec(line)?.[1] ?? [])

/** A line of `git grep -z -n`: a path may have line feeds. */
const GREP_LINE = /([^\0]*)\0(\d+)\0([^\n]*)\n/g

/** A commit that a call is about: an id, a name, or `HEAD`. */
const someRef = () => (maybe(3) ? one(['HEAD', ...refs]) : one(commits))
const pathsOf = new Map<string, string[]>()
function somePath(ref: string): string {
  const all = pathsOf.get(ref) ?? fields(git(['ls-tree', '-r', '-t', '-z', '--name-only', ref]))
  pathsOf.set(ref, all)
  // An argument of a program is text in Node.
  const paths = all.filter((path) => isUtf8(bytes(path)))
  if (paths.length === 0 || maybe(10)) return one(['no/such/file', '', 'src'])
  return maybe(10) ? `${one(paths)}/below` : one(paths)
}
const somePage = () => ({ page: 1 + random(3), pageSize: 1 + random(20) })
function pageOf<T>(all: readonly T[], { page, pageSize }: ReturnType<typeof somePage>): T[] {
  return all.slice((page - 1) * pageSize, page * pageSize)
}

const TYPES: Readonly<Record<string, Entry['type']>> = {
  '040000': 'directory',
  '100644': 'file',
  '100755': 'file',
  '100664': 'file',
  '120000': 'link',
  '160000': 'submodule',
}
/** The entry of a line of `git ls-tree -z`, with a size after `-l`. */
function entryOf(line: string) {
  const [, mode = '', oid, size, path] = /^(\d+) \w+ (\w+)(?: +(\d+|-))?\t(.*)$/s.exec(line) ?? []
  return {
    type: TYPES[mode],
    path,
    oid,
    size: size === undefined || size === '-' ? undefined : Number(size),
  }
}
const plain = ({ type, pathBytes, oid, size }: Entry) => {
  return { type, path: latin1(pathBytes), oid, size }
}
const FORMAT = '--format=%H%x00%P%x00%an%x00%ae%x00%at%x00%B%x00%x01'
/** The commits that `git log` prints with that format; a `Date` ends with the year 275760. */
function commitsOf(printed: string | null) {
  const rows = (printed ?? '').split('\x01\n').filter((row) => row !== '')
  return rows.map((row) => {
    const [sha = '', parents = '', author = '', email = '', time, message = ''] = row.split('\0')
    return {
      sha,
      parents,
      author: utf8(author),
      email: utf8(email),
      time: new Date(Number(time) * 1000).getTime() / 1000,
      message: utf8(message),
    }
  })
}
/** git prints a message up to a NUL, and ends it by a line feed. */
const ended = (message: string) => message.replace(/\0.*$/s, '').replace(/\n*$/, '\n')
const plainCommit = ({ sha, parents, author, email, createTime, message }: Commit) => ({
  ...{ sha, parents: parents.join(' '), author, email },
  ...{ time: createTime.getTime() / 1000, message: ended(message) },
})

/** The names of the branches or tags, each with what it leads to: git 2.39 lists one tag's target. */
function namesOfKind(kind: 'heads' | 'tags') {
  const found = lines(git(['for-each-ref', '--format=%(refname)', `refs/${kind}`]))
  const ids = found.length > 0 ? lines(git(['rev-parse', ...found.map((ref) => `${ref}^{}`)])) : []
  const prefix = `refs/${kind}/`.length
  return found.map((ref, at) => ({ name: utf8(ref.slice(prefix)), commitSha: ids[at] }))
}

const repo = await open(gitDir)
afterAll(() => repo.close())
const source = new DataSource(repo)

/** Each makes a random call, and returns what it is, the answer, and git's answer. */
const CALL: Readonly<Record<string, () => Promise<readonly [unknown, unknown, unknown]>>> = {
  async provideEntry() {
    const ref = someRef()
    const path = somePath(ref)
    const entry = await source.provideEntry(ref, bytes(path))
    const [line] = fields(git(['ls-tree', '-l', '-z', '--full-tree', ref, path]))
    const root = () => {
      return { type: 'directory', path: '', oid: git(['rev-parse', `${ref}^{tree}`])?.trim() }
    }
    const expected = path === '' ? root() : line === undefined ? null : entryOf(line)
    return [[ref, path], entry && plain(entry), expected]
  },
  async provideDirectory() {
    const ref = someRef()
    const path = maybe(3) ? '' : somePath(ref)
    const recursive = maybe(3)
    const found = await source.provideDirectory(ref, bytes(path), recursive)
    const printed = git(['ls-tree', '-z', ...(recursive ? ['-r', '-t'] : []), `${ref}:${path}`])
    const below = (name = '') => latin1(joined([...namesOf(bytes(path)), bytes(name)]))
    const entries = fields(printed).map(entryOf)
    const expected = entries.map((entry) => ({ ...entry, path: below(entry.path) }))
    const answer = found && { ...found, entries: found.entries.map(plain) }
    return [
      [ref, path, recursive],
      answer,
      printed === null ? null : { entries: expected, truncated: false },
    ]
  },
  async provideFile() {
    const ref = someRef()
    const path = somePath(ref)
    const file = await source.provideFile(ref, bytes(path))
    return [[ref, path], file && latin1(file.content), git(['cat-file', 'blob', `${ref}:${path}`])]
  },
  ...Object.fromEntries(
    (['heads', 'tags'] as const).map((kind) => [
      kind === 'heads' ? 'provideBranches' : 'provideTags',
      async () => {
        const page = somePage()
        const query = maybe(2) ? '' : one(['a', 'o', 'v1', 'topic'])
        const options = { ...page, query }
        const list =
          kind === 'heads' ? source.provideBranches(options) : source.provideTags(options)
        const all = namesOfKind(kind)
        return [
          options,
          await list,
          pageOf(
            all.filter(({ name }) => name.includes(query)),
            page,
          ),
        ] as const
      },
    ]),
  ),
  async provideBranch() {
    const name = maybe(4) ? one(['nowhere', 'mai', 'main/']) : one(names)
    const found = await source.provideBranch(name)
    return [
      name,
      found?.commitSha,
      git(['rev-parse', '-q', '--verify', `refs/heads/${name}`])?.trim(),
    ]
  },
  async provideTag() {
    const name = maybe(4) ? one(['nowhere', 'v', 'v1.']) : one(names)
    const found = await source.provideTag(name)
    return [
      name,
      found?.commitSha,
      git(['rev-parse', '-q', '--verify', `refs/tags/${name}^{}`])?.trim(),
    ]
  },
  async provideTextSearchResults() {
    const ref = someRef()
    const page = somePage()
    const word = someWord(ref)
    const isRegExp = maybe(2)
    const pattern = isRegExp ? one([word, `^${word}`, `${word}|line`, `[${word}]+.`, '.$']) : word
    const query = { pattern, isRegExp, isCaseSensitive: maybe(2), isWordMatch: maybe(4) }
    const globs = {
      includes: maybe(3) ? ['**/*.txt', 'src/**'] : [],
      excludes: maybe(4) ? ['**/*1*'] : [],
    }
    const found = await source.provideTextSearchResults(ref, query, { ...page, ...globs })
    const flags = ['--threads=1', '-I', '-z', '-n', isRegExp ? '-E' : '-F', '-e', pattern]
    if (!query.isCaseSensitive) flags.unshift('-i')
    if (query.isWordMatch) flags.unshift('-w')
    const specs = [
      ...globs.includes.map((glob) => `:(glob)${glob}`),
      ...globs.excludes.map((glob) => `:(exclude,glob)${glob}`),
    ]
    /** Rows of path, number and text. */
    const grep = (...more: string[]) =>
      Array.from(
        (git(['grep', ...more, ...flags, ref, '--', ...specs], ref) ?? '').matchAll(GREP_LINE),
        ([, path = '', row, text = '']) => [path.slice(ref.length + 1), row, utf8(text)].join('\0'),
      )
    const all = grep()
    const shown = pageOf(all, page)
    const rows = found.results.map(({ pathBytes, text, ranges: [range] }) => {
      return `${latin1(pathBytes)}\0${(range?.start.line ?? -2) + 1}\0${text}`
    })
    const places = new Set(shown.map((row) => row.split('\0').slice(0, 2).join('\0')))
    const isShown = (row: string) => places.has(row.split('\0').slice(0, 2).join('\0'))
    const parts = found.results.flatMap(({ pathBytes, text, ranges }) =>
      ranges
        .filter(({ start, end }) => start.character < end.character)
        .map(({ start, end }) => {
          const part = text.slice(start.character, end.character)
          return `${latin1(pathBytes)}\0${start.line + 1}\0${part}`
        }),
    )
    const answer = { rows, parts, truncated: found.truncated }
    const truncated = all.length > page.page * page.pageSize
    return [
      { ref, query, globs, page },
      answer,
      { rows: shown, parts: grep('-o').filter(isShown), truncated },
    ]
  },
  async provideCommits() {
    const from = someRef()
    const page = somePage()
    const path = maybe(2) ? somePath(from) : ''
    const author = maybe(4) ? one(['a', 'ex', 'B', 'nobody']) : ''
    const query = maybe(4) ? one(['the', 'a', 'Fix', 'test']) : ''
    const found = await source.provideCommits({ ...page, from, path: bytes(path), author, query })
    const isFile = path !== '' && git(['cat-file', '-t', `${from}:${path}`]) === 'blob\n'
    const flags = [
      '-F',
      '-i',
      ...(author ? [`--author=${author}`] : []),
      ...(query ? [`--grep=${query}`] : []),
    ]
    if (isFile) flags.push('--follow')
    const place = path === '' ? [] : [`:(literal)${path}`]
    const all = commitsOf(git(['log', FORMAT, ...flags, from, '--', ...(isFile ? [path] : place)]))
    return [
      { from, page, path, author, query },
      found.map(plainCommit),
      pageOf(all, page).map((c) => ({ ...c, message: ended(c.message) })),
    ]
  },
  async provideCommit() {
    const ref = maybe(5) ? 'no-such-ref' : someRef()
    const found = await source.provideCommit(ref)
    const [commit] = commitsOf(git(['log', '-1', FORMAT, ref, '--']))
    return [
      ref,
      found && plainCommit(found),
      commit ? { ...commit, message: ended(commit.message) } : null,
    ]
  },
  async provideCommitChangedFiles() {
    const ref = someRef()
    const found = await source.provideCommitChangedFiles(ref)
    const parent = git(['rev-parse', '-q', '--verify', `${ref}^1`])?.trim()
    const sides = parent ? [parent, ref] : ['--root', ref]
    const printed = fields(
      git(['diff-tree', '-r', '-z', '-M', '--no-commit-id', '--name-status', ...sides]),
    )
    const expected: string[][] = []
    for (let at = 0; at < printed.length; ) {
      const status = printed[at++]?.[0] ?? ''
      const previous = printed[at++] ?? ''
      expected.push([status, previous, status === 'R' ? (printed[at++] ?? '') : previous])
    }
    const files = found?.map(({ status, pathBytes, previousPathBytes }) => {
      return [status[0]?.toUpperCase(), latin1(previousPathBytes), latin1(pathBytes)]
    })
    return [ref, files, expected]
  },
  async provideFileBlameRanges() {
    const ref = someRef()
    const path = somePath(ref)
    const found = await source.provideFileBlameRanges(ref, bytes(path))
    const printed = git(['blame', '--incremental', ref, '--', path])
    const expected = (printed ?? '').matchAll(/^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/gm)
    const ranges = Array.from(expected, ([, sha, start, count]) => {
      return { sha, startingLine: Number(start), endingLine: Number(start) + Number(count) - 1 }
    }).sort((one, other) => one.startingLine - other.startingLine)
    const answer = found?.map(({ commit: { sha }, startingLine, endingLine }) => {
      return { sha, startingLine, endingLine }
    })
    return [[ref, path], answer ?? null, printed === null ? null : ranges]
  },
}

/** Some letters of a file of a commit. */
function someWord(ref: string): string {
  const text = git(['cat-file', 'blob', `${ref}:${somePath(ref)}`]) ?? ''
  const word = one(text.match(/[A-Za-z]{2,8}/g) ?? ['line'])
  return one([word, word, word.toLowerCase(), word.toUpperCase()])
}

test.each(Object.entries(CALL))(
  `${CALLS} random calls of %s have git's answers`,
  { timeout: 600_000 },
  async (name, call) => {
    // The calls of a method are the same ones when it is tested alone.
    number = numbersFrom(seed)
    for (let at = 0; at < CALLS; at++) {
      const [asked, answer, expected] = await call()
      expect(answer, `${name}(${JSON.stringify(asked)}), call ${at} of seed ${seed}`).toEqual(
        expected,
      )
    }
  },
)

test('a name that is not UTF-8 is found by its bytes', async () => {
  using repo = await open(gitDirectoryOf(fixture('main')))
  const source = new DataSource(repo)
  const listed = await source.provideDirectory('HEAD', 'odd')
  const entry = listed?.entries.find(({ pathBytes }) => latin1(pathBytes) === 'odd/caf\xe9')
  if (!entry) throw new Error('the fixture has no such name')
  expect(await source.provideEntry('HEAD', entry.pathBytes)).toMatchObject(entry)
  expect(await source.provideEntry('HEAD', entry.path)).toBeNull()
  const file = await source.provideFile('HEAD', entry.pathBytes)
  expect(file?.content).toEqual((await repo.readBlob(entry.oid)).data)
})

test('a page that cannot be is refused', async () => {
  for (const page of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(source.provideBranches({ page, pageSize: 10 })).rejects.toThrow('from 1')
    await expect(source.provideBranches({ page: 1, pageSize: page })).rejects.toThrow('from 1')
  }
})

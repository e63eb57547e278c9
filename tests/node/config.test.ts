/** Configurations are read as by git: tests/fixtures/config.mjs. */
import path from 'node:path'
import type { Config, ConfigOptions, SyncRepository } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { HEAD, WORKTREES } from '../fixtures/random-configs.mjs'
import { folder, gitDirs, home, latin1, recorded, withFolder, write } from './config-worktrees.ts'
import { errorOf } from './support.ts'

const listed = (config: Config, place: 'Main' | 'linked') =>
  config.list().flatMap(({ scope, file, nameBytes, valueBytes }) => {
    const directory = scope === 'local' ? gitDirs.Main : gitDirs[place]
    const name = latin1(nameBytes)
    const value = valueBytes ? `\n${latin1(valueBytes)}` : ''
    return [scope, path.basename(path.resolve(directory, file)), `${name}${value}`]
  })

test('list has the variables of git config --list', async () => {
  let compared = 0
  for (const { place, files, asked } of recorded) {
    write(files)
    using repo = openSync(path.join(folder, place))
    await using remote = await open(path.join(folder, place))
    for (const { args, exit, stdout } of asked) {
      if (args.join(' ') !== '--list -z --show-scope --show-origin') continue
      const options: ConfigOptions = { gitDir: gitDirs[place], home }
      if (exit !== 0) {
        expect(await errorOf(() => repo.config(options))).toMatchObject({ code: 'CORRUPT' })
        continue
      }
      const expected = withFolder(stdout)
        .split('\0')
        .slice(0, -1)
        .map((one, at) => (at % 3 === 1 ? path.basename(one) : one))
      expect(listed(repo.config(options), place)).toEqual(expected)
      expect(listed(await remote.config(options), place)).toEqual(expected)
      compared += expected.length / 3
    }
  }
  expect(compared).toBeGreaterThan(100)
})

/** Writes the config of the main worktree, and reads it. */
function read(text: string, options: ConfigOptions = {}, more = {}): Config {
  write({ 'Main/.git/config': text, ...more })
  using repo: SyncRepository = openSync(path.join(folder, 'Main'))
  return repo.config(options)
}

test('get returns the last value, and getAll all', () => {
  const config = read('[A "b.C"] D = 1\n[a "b.C"]\nd\n[a] d = x # y\n[a "b.C"] d = "\xc3\xa9"\n')
  expect(config.get('a.b.C.d')).toBe('é')
  expect(config.getAll('A.b.C.D')).toEqual(['1', '', 'é'])
  expect(config.get('a.b.c.d')).toBeNull()
  expect(config.get('a.d')).toBe('x')
  expect(config.getAll('a.x')).toEqual([])
  expect(JSON.parse(JSON.stringify(config.list()[1]))).toEqual({
    ...{ name: 'a.b.C.d', value: null, scope: 'local', file: 'config' },
  })
})

test('remotes are those of git remote, with its URLs', () => {
  const config = read(
    '[remote "o"] url = a\nurl =\nurl = b\nurl = c\nfetch = +x:y\nfetch = z\npushurl = p\n' +
      '[remote "y.y"] fetch = 1\nurl\n[remote "/q"] url = 1\n[remote] pushDefault = o\n' +
      '[remote "o"] pushURL = q\n[remote "p"] url = u\npushurl = v\npushurl =\n',
  )
  expect(config.remotes()).toEqual([
    { name: 'o', urls: ['b', 'c'], pushUrls: ['p', 'q'], fetch: ['+x:y', 'z'] },
    { name: 'y.y', urls: [], pushUrls: [], fetch: ['1'] },
    { name: 'p', urls: ['u'], pushUrls: ['u'], fetch: [] },
  ])
})

test('files that are not included are named, with the reason', () => {
  const text =
    '[include] path = nothing\n[include] path = ~/x\n[include] path = ~other/x\n' +
    '[includeIf "gitdir:**"] path = one\n[includeIf "gitdir:~/"] path = one\n' +
    '[includeIf "onbranch:main"] path = one\n[include] path = %(prefix)/x\n[include] path = .\n'
  const skipped = (options: ConfigOptions) =>
    read(text, options).skipped.map(({ path, condition, why }) => [path, condition, why])
  const always = [
    ['nothing', null, 'absent'],
    ['~other/x', null, 'home'],
    ['%(prefix)/x', null, 'home'],
    ['.', null, 'absent'],
  ]
  expect(skipped({})).toEqual([
    always[0],
    ['~/x', null, 'home'],
    always[1],
    ['one', 'gitdir:**', 'condition'],
    ['one', 'gitdir:~/', 'condition'],
    ...always.slice(2),
  ])
  expect(skipped({ home, gitDir: gitDirs.Main })).toEqual([
    always[0],
    ['~/x', null, 'absent'],
    ...always.slice(1),
  ])
  expect(read(text, { includes: false }).skipped).toEqual([])
})

test('a repository without config has no variables', async () => {
  const files = new Map([
    ['HEAD', Buffer.from('ref: refs/heads/main\n')],
    ['x/y', Buffer.from('[a] b = 1\n')],
  ])
  const store = { get: (name: string) => files.get(name), list: () => [] }
  await using repo = await open(store)
  expect((await repo.config()).list()).toEqual([])
  files.set('config', Buffer.from('[include] path = ./x//y\n[include] path = /etc/z\n'))
  const config = await repo.config()
  expect(config.get('a.b')).toBe('1')
  expect(config.skipped.map(({ path }) => path)).toEqual(['/etc/z'])
})

test('a picked folder leaves out what it does not have', async () => {
  const files = { 'r/.git/HEAD': 'ref: refs/heads/main\n', 'r/shared': '[a] b = 1\n' }
  const config = '[include] path = ../shared\n[include] path = ../../x\n[include] path = /x\n'
  const list = Object.entries({ ...files, 'r/.git/config': config }).map(([value, text]) =>
    Object.defineProperty(new File([text], 'x'), 'webkitRelativePath', { value }),
  )
  await using repo = await open(list)
  const read = await repo.config()
  expect(read.get('a.b')).toBe('1')
  expect(read.skipped.map(({ path, why }) => [path, why])).toEqual([
    ['../../x', 'unreadable'],
    ['/x', 'unreadable'],
  ])
})

describe('what git refuses', () => {
  test.each([
    ['[a]\n\nb # c\n', '3', 'bad config line: 3 (config at offset 8)'],
    ['[a]\nb = "\n', '2', 'bad config line: 2 (config at offset 10)'],
    ['[include]\npath\n', '2', "missing value for 'include.path' in line: 2 (config at offset 0)"],
  ])('%j has the number of the line', async (text, subject, message) => {
    const error = await errorOf(() => read(text))
    expect(error).toMatchObject({ code: 'CORRUPT', file: 'config', subject, message })
  })

  test('in an included file', async () => {
    const more = { 'Main/four': '\n\n[a' }
    const error = await errorOf(() => read('[include] path = ../four\n', {}, more))
    expect(error).toMatchObject({ code: 'CORRUPT', file: '../four', subject: '4' })
  })

  test('more than 10 files that include each other', async () => {
    const chain = (count: number) => {
      const links = Array.from({ length: count }, (_, at) => {
        const next = at + 1 < count ? `[include] path = link-${at + 1}\n` : '[last] is = set\n'
        return [`Main/.git/link-${at}`, next]
      })
      return read('[include] path = link-0\n', {}, Object.fromEntries(links))
    }
    expect(chain(10).get('last.is')).toBe('set')
    expect(await errorOf(() => chain(11))).toMatchObject({ code: 'CORRUPT', subject: 'link-10' })
  })

  test('files that include each other, and what depends on itself', async () => {
    expect(await errorOf(() => read('[include] path = config\n'))).toMatchObject({
      ...{ code: 'CORRUPT', message: 'exceeded maximum include depth (10): config' },
    })
    const more = { 'Main/.git/one': '[remote "o"] url = x\n' }
    const text = '[includeIf "hasconfig:remote.*.url:x"] path = one\n'
    expect(await errorOf(() => read(text, {}, more))).toMatchObject({
      ...{ code: 'CORRUPT', subject: 'one' },
    })
  })
})

test('few bytes that name many take no more memory than allowed', async () => {
  const long = `[a "${'x'.repeat(1 << 15)}"]\n${'b\n'.repeat(1 << 15)}`
  const many = `${'[include] path = one\n'.repeat(1 << 14)}`
  for (const text of [long, many]) {
    write({ 'Main/.git/config': text, 'Main/.git/one': `#${'x'.repeat(1 << 16)}\n` })
    using repo = openSync(path.join(folder, 'Main'), { memory: 16 << 20 })
    const error = await errorOf(() => repo.config())
    expect(error).toMatchObject({ code: 'LIMIT' })
    expect(String(error)).toContain('raise `memory`')
  }
})

test('worktrees have a configuration of their own', () => {
  write({
    'Main/.git/config': `${HEAD}${WORKTREES}[a] b = 1\n`,
    'Main/.git/worktrees/linked/config.worktree': '[a] b = 2\n',
  })
  using repo = openSync(path.join(folder, 'linked'))
  expect(repo.config().getAll('a.b')).toEqual(['1', '2'])
  expect(repo.config({ scope: 'local' }).get('a.b')).toBe('1')
  expect(repo.config({ scope: 'worktree' }).getAll('a.b')).toEqual(['2'])
})

/** Repositories whose parts are stored in several places, and the options for them. */
import fs, { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { OpenOptions, Repository } from 'packlens'
import { open, openSync, PacklensError } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unpacked } from './cli-support.ts'
import { codeOf, collect, errorOf, filesBelow } from './support.ts'

const layouts = path.join(unpacked, 'layouts')
const at = (name: string) => path.join(layouts, name)

const utf8 = new TextDecoder()
const contentOf = async (repo: Repository, spec: string) =>
  utf8.decode((await repo.read(spec)).data)

const base = openSync(at('base.git')).resolve('main')

const ways: [string, (name: string, options?: OpenOptions) => Promise<Repository>][] = [
  ['a path', (name, options) => open(at(name), options)],
  ['fs', (name, options) => open({ fs, gitdir: at(name) }, options)],
  [
    'a client',
    (name, options) => open({ fs: { promises: fs.promises }, gitdir: at(name) }, options),
  ],
  ['a worker', (name, options) => open(at(name), { ...options, worker: true })],
]

describe.each(ways)('From %s', (_, openAt) => {
  test('the directory of objects can be another one', async () => {
    await using repo = await openAt('bare', { objectDirectory: at('base.git/objects') })
    expect(await contentOf(repo, `${base}:README.md`)).toBe('base\n')
    expect(await codeOf(() => repo.read('HEAD'))).toBe('NOT_FOUND')
  })

  test('its alternates are relative to its own path', async () => {
    await using repo = await openAt('bare', { objectDirectory: at('borrower.git/objects') })
    expect(await contentOf(repo, `${base}:README.md`)).toBe('base\n')
  })

  test('alternates can be added', async () => {
    await using own = await openAt('bare')
    expect(await codeOf(() => own.read(base))).toBe('NOT_FOUND')
    const alternates = [at('chain-4.git/objects'), at('base.git/objects')]
    await using repo = await openAt('bare', { alternates })
    expect(await contentOf(repo, `${base}:README.md`)).toBe('base\n')
    expect(await contentOf(repo, 'HEAD:file')).toBe('bare\n')
  })

  test('the common directory can be another one', async () => {
    await using repo = await openAt('bare', { commonDir: at('base.git') })
    expect(await contentOf(repo, `${base}:README.md`)).toBe('base\n')
    // git looks for refs in the directory that the repository itself names as shared.
    await using bare = await openAt('bare')
    expect(await repo.resolve('HEAD')).toBe(await bare.resolve('HEAD'))
  })

  test('the git directory of a submodule is opened', async () => {
    await using repo = await openAt('super/.git/modules/inner/sub')
    expect(await repo.resolve('HEAD')).toBe(base)
  })

  test('formats that git refuses are refused, and named', async () => {
    const subjects: [string, string][] = [
      ['version-2', '2'],
      ['strange', 'strange'],
      ['strange-too', 'noop.noop'],
      ['too-old', 'objectformat'],
      ['unknown-hash', 'sha512'],
    ]
    for (const [name, subject] of subjects) {
      const error = await errorOf(() => openAt(`formats/${name}`))
      expect([error.code, error.subject]).toEqual(['UNSUPPORTED', subject])
    }
  })
})

describe('A file that names a directory of git, truncated or changed anywhere,', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-named-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Opens the repository with each change of a file: it returns right answers or one of these errors. */
  function changeAll(file: string, text: string) {
    const [whole, seen] = [Buffer.from(text), new Map<string, number>()]
    const changes = Array.from(whole, (byte, at) => {
      const changed = Buffer.from(whole)
      changed[at] = byte ^ (1 << (at % 8))
      return [whole.subarray(0, at), changed]
    }).flat()
    for (const changed of [whole, ...changes]) {
      writeFileSync(path.join(folder, file), changed)
      let code = 'right'
      try {
        using repo = openSync(folder)
        expect(repo.resolve('main')).toBe(base)
      } catch (error) {
        if (!(error instanceof PacklensError)) throw error
        code = error.code
      }
      seen.set(code, (seen.get(code) ?? 0) + 1)
    }
    return [...seen.keys()].sort()
  }

  test('a `.git` file', () => {
    const codes = changeAll('.git', `gitdir: ${at('base.git')}\n`)
    expect(codes).toEqual(['NOT_FOUND', 'right'])
    rmSync(path.join(folder, '.git'))
  })

  test('`commondir`', () => {
    writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n')
    const codes = changeAll('commondir', `${at('base.git')}\n`)
    expect(codes).toEqual(['NOT_FOUND', 'right'])
  })
})

describe('Invalid options', () => {
  test.each<[string, () => unknown]>([
    ['an empty path', () => openSync(at('bare'), { objectDirectory: '' })],
    ['a path with a NUL', () => openSync(at('bare'), { alternates: ['a\0b'] })],
    ['gitDir of a path', () => openSync(at('bare'), { gitDir: 'x' })],
    ['gitDir of { fs }', () => open({ fs, gitdir: at('bare') }, { gitDir: 'x' })],
    ['commonDir of packs', () => openSync({ packs: [] }, { commonDir: '/x' })],
    ['commonDir of a store', () => openSync({ get: () => null }, { commonDir: '/x' })],
    ['commonDir of a URL', () => open('https://127.0.0.1:1/', { commonDir: '/x' })],
  ])('%s', async (_, opening) => {
    expect(await codeOf(async () => opening())).toBe('BAD_INPUT')
  })
})

/** Returns the files of a fixture as a page gets them from the user. */
function picked(folder: string): File[] {
  return filesBelow(at(folder)).map((name) => {
    const file = new File([readFileSync(path.join(at(folder), name))], path.basename(name))
    const value = `${path.basename(folder) || 'picked'}/${name}`
    return Object.defineProperty(file, 'webkitRelativePath', { value })
  })
}

describe('A list of files', () => {
  test('opens the repository that `gitDir` names', async () => {
    await using repo = await open(picked('.'), { gitDir: 'borrower.git' })
    expect(await contentOf(repo, 'main:own.txt')).toBe('own\n')
    expect(await contentOf(repo, 'borrowed:README.md')).toBe('base\n')
    expect(await contentOf(repo, 'more:more.txt')).toBe('more\n')
    expect(await codeOf(() => open(picked('.'), { gitDir: 'nowhere.git' }))).toBe('NOT_FOUND')
  })

  test('says what to do about objects outside of it', async () => {
    await using repo = await open(picked('borrower.git'))
    expect(await contentOf(repo, 'main:own.txt')).toBe('own\n')
    const error = await errorOf(() => repo.find(base))
    expect([error.code, error.subject]).toEqual([
      'BAD_INPUT',
      '../base.git/objects/info/alternates',
    ])
    expect(error.message).toContain('`gitDir`')
    const rows = collect(repo.objects({ fields: 'info' }))
    expect(await codeOf(() => rows)).toBe('BAD_INPUT')
    // With `alternates` given, nothing else is needed.
    await using lenient = await open(picked('borrower.git'), { alternates: ['nowhere'] })
    expect(await lenient.find(base)).toBe(null)
  })
})

describe('Symbolic links', () => {
  let top: string
  beforeAll(() => {
    top = mkdtempSync(path.join(os.tmpdir(), 'packlens-layouts-'))
    symlinkSync(at('borrower.git'), path.join(top, 'link.git'))
  })
  afterAll(() => rmSync(top, { recursive: true, force: true }))

  test('a linked git directory has its alternates relative to its real path', async () => {
    using repo = await open(path.join(top, 'link.git'))
    expect(await contentOf(repo, 'borrowed:README.md')).toBe('base\n')
  })
})

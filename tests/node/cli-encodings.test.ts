/** Commits are shown in the encoding that options and the configuration ask for, as by git. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-encodings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FILE = 'file'

/** Commits by their encodings: bytes of names and messages, one character per byte. */
const COMMITS = [
  ['', 'A', 'plain'],
  ['ISO-8859-1', '\xc4rger', 'ge\xe4ndert'],
  // 山田, 日本: in EUC-JP, Shift_JIS and UTF-8.
  ['eucJP', '\xbb\xb3\xc5\xc4', '\xc6\xfc\xcb\xdc'],
  ['SJIS', '\x8eR\x93c', '\x93\xfa\x96{'],
  ['', '\xe5\xb1\xb1\xe7\x94\xb0', '\xe6\x97\xa5\xe6\x9c\xac'],
  ['', '\xc3\x84', '\xc3\xa4\xe2\x82\xac'],
] as const

function git(args: readonly string[], input?: Buffer) {
  const options = { cwd: folder, env: environment, input, maxBuffer: 1 << 26 }
  return spawnSync('git', args, options)
}

beforeAll(() => {
  git(['init', '-q', '-b', 'main'])
  let parent = ''
  for (const [at, [encoding, name, message]] of COMMITS.entries()) {
    writeFileSync(path.join(folder, FILE), COMMITS.slice(0, at + 1).join('\n'))
    git(['add', FILE])
    const tree = git(['write-tree']).stdout.toString().trim()
    const who = `${name} <a@x> ${at + 5} +0000`
    const header = encoding === '' ? '' : `encoding ${encoding}\n`
    const text = `tree ${tree}\n${parent}author ${who}\ncommitter ${who}\n${header}\n${message}\n`
    const store = ['hash-object', '-t', 'commit', '-w', '--stdin']
    const oid = git(store, Buffer.from(text, 'latin1')).stdout.toString().trim()
    parent = `parent ${oid}\n`
    git(['update-ref', 'refs/heads/main', oid])
  }
})

const COLUMNS = '--format=%<(10)%an|%>(10,trunc)%s|%e'
const ASKED = [
  ['log', '--date=raw'],
  ['log', COLUMNS],
  ['log', '--graph', COLUMNS],
  ['log', '--oneline'],
  ['show', '-s'],
  ['show', '-s', '--format=%s%n%an'],
  ['rev-list', '--pretty=short', 'main'],
  ['rev-list', '--pretty=format:%s %an', 'main'],
  ['shortlog', 'main'],
  ['shortlog', '--format=%s', 'main'],
  ['blame', '-p', 'main', '--', FILE],
  ['blame', '-l', 'main', '--', FILE],
] as const

const SETTINGS = [
  ['-c', 'i18n.logOutputEncoding=ISO-8859-1'],
  ['-c', 'i18n.logOutputEncoding=latin1', '-c', 'i18n.commitEncoding=UTF-8'],
  ['-c', 'i18n.commitEncoding=ISO8859-1'],
  ['-c', 'i18n.logOutputEncoding=none'],
  ['-c', 'i18n.logOutputEncoding='],
  ['-c', 'i18n.logOutputEncoding=eucJP'],
  ['-c', 'i18n.logOutputEncoding=SJIS'],
  ['-c', 'i18n.commitEncoding=SJIS', '-c', 'i18n.logOutputEncoding=UTF-8'],
]

function compare(args: readonly string[]): string {
  const { status, stdout } = git(args)
  const own = run(folder, args)
  const answer = { exit: own.exit, stdout: own.stdout.toString('latin1') }
  expect(answer, args.join(' ')).toEqual({ exit: status, stdout: stdout.toString('latin1') })
  return answer.stdout
}

describe.each(SETTINGS.map((settings) => [settings]))('%j', (settings) => {
  test.each(ASKED.map((args) => [args]))('%j', (args) => {
    expect(compare([...settings, ...args]).length).toBeGreaterThan(8)
  })
})

test.each(['UTF-8', 'none', 'ISO-8859-1', 'EUC-JP', 'shift_jis'])('--encoding=%s', (name) => {
  for (const [command, ...rest] of ASKED.slice(0, 7)) {
    compare(['-c', 'i18n.logOutputEncoding=SJIS', command, `--encoding=${name}`, ...rest])
  }
  compare(['blame', '-p', `--encoding=${name}`, 'main', '--', FILE])
})

test.each(['klingon', 'non-utf-8'])('%s, which is unknown', (name) => {
  for (const args of ASKED) compare(['-c', `i18n.logOutputEncoding=${name}`, ...args])
})

test.each(['UTF-16', 'utf-32le', 'UCS-2'])('%s, which is not supported', (name) => {
  const { exit, stderr } = run(folder, ['-c', `i18n.logOutputEncoding=${name}`, 'log'])
  expect(exit).toBe(128)
  expect(stderr.toString()).toContain(`the encoding ${name} is not supported`)
})

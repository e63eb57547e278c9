/** Texts are as wide as git says, which pads them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { columnsOf } from '../../dist/node/cli/text/columns.js'
import { environment } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-columns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const utf8 = (text: string) => Buffer.from(text).toString('latin1')

/** Characters that were in Unicode long before git 2.39, at the edges of ranges. */
const CHARACTERS = [
  ...[
    'a',
    '~',
    '\x01',
    '\x1f',
    '\x7f',
    '\x80',
    '\x9f',
    '\xa0',
    '\xad',
    '\u0300',
    '\u036f',
    '\u0370',
  ],
  ...['\u0488', '\u0600', '\u10ff', '\u1100', '\u115f', '\u1160', '\u11ff', '\u1200', '\u200b'],
  ...['\u200d', '\u2028', '\u20dd', '\u231a', '\u231c', '\u2329', '\u232b', '\u2614', '\u2616'],
  ...['\u2e7f', '\u2e80', '\u2e9a', '\u3000', '\u302a', '\u303e', '\u303f', '\u3099', '\u309b'],
  ...['\ua48c', '\ua960', '\ua97d', '\uac00', '\ud7a3', '\ud7a4', '\ue000', '\uf900', '\ufaff'],
  ...['\ufe0f', '\ufe10', '\ufe20', '\ufe30', '\ufe53', '\ufeff', '\uff01', '\uff60', '\uff61'],
  ...['\uffe0', '\uffe7', '\ufffd', '\ufffe', '\uffff', '\u{1f004}', '\u{1f005}', '\u{1f1e6}'],
  ...['\u{1f600}', '\u{1f3fb}', '\u{20000}', '\u{2fffd}', '\u{2fffe}', '\u{30000}', '\u{e0001}'],
  ...['\u{e0100}', '\u{10fffd}'],
].map(utf8)

const TEXTS = [
  ...CHARACTERS,
  ...['', 'plain', utf8('caf\xe9'), utf8('\u65e5\u672c\u8a9e'), utf8('e\u0301'), utf8('a\uffffb')],
  ...['caf\xe9', '\xff', '\xc3', 'a\xe6\x97', '\xed\xa0\x80', '\xc0\x80', '\xf4\x90\x80\x80'],
]

test('Widths are those by which git pads', () => {
  spawnSync('git', ['init', '-q', folder])
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@x']
  spawnSync('git', [...who, 'commit', '-q', '--allow-empty', '-mx'], { cwd: folder })
  const format = TEXTS.map((text) => `%(align:9)${text}%(end)|`).join('')
  const quoted = `'${format.replaceAll("'", "'\\''")}'`
  // A shell, because Node only passes arguments that are UTF-8.
  const script = Buffer.from(`git for-each-ref --count=1 --format=${quoted}`, 'latin1')
  const { stdout, stderr } = spawnSync('sh', { cwd: folder, env: environment, input: script })
  expect(stderr.toString()).toBe('')
  const own = TEXTS.map((text) => `${text}${' '.repeat(9 - columnsOf(text))}|`).join('')
  expect(stdout.toString('latin1')).toBe(`${own}\n`)
})

/** `-L` in a file with zero bytes, where a search ends, beside git. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { compareWithGit } from './beside-git.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-lines-'))
afterAll(() => rmSync(folder, { recursive: true }))
const content = 'one\ntwo and\0three\nthree\nfive\n'
git(folder, ['init', '-q', '--bare', '--initial-branch=main', folder])
git(
  folder,
  ['fast-import', '--quiet', '--done'],
  `commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 2\nm\nM 644 inline file\n` +
    `data ${content.length}\n${content}\ndone\n`,
)

test.each(['/two/', '/and/', '/three/', '3,/five/', '2,/three/', ':two', ':three', '1,/three/'])(
  '-L %s finds what git finds',
  (range) => {
    compareWithGit(folder, ['blame', '-s', `-L${range}`, 'main', '--', 'file'])
    compareWithGit(folder, ['log', '-s', '--format=%s', `-L${range}:file`, 'main'])
  },
)

/** Graphs of commits that options select, beside git. */
import { test } from 'vitest'
import { oddHistory } from '../fixtures/log-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { madeHistory } from './recorded-answers.ts'

const folder = madeHistory('graph-filters', oddHistory)
// git before 2.56 does not move commits without parents.
const ask = ['--git-dir', folder, '-c', 'log.graphIndent=false', 'log', '--graph', '--format=%h']

test.each([
  '--author=A',
  '--committer=o',
  '--grep=s',
  '--merges',
  '--no-merges',
  '--since=2001-01-01',
])('with paths, %s keeps the merges of a full history that lead to selected commits', (option) => {
  for (const history of [['--full-history'], ['-m'], ['--simplify-merges'], ['--sparse'], []]) {
    compareWithGit(folder, [...ask, option, ...history, '--all', '--', 'one'])
    compareWithGit(folder, [...ask, option, '-3', ...history, '--all', '--', 'nothing'])
  }
})

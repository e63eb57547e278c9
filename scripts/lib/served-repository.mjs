// Makes of a repository what a static server serves, without changing it.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { Failure } from './shell.mjs'

/** Makes a repository of links to the files of another, with the lists for clients. */
export function linkRepository(from, to) {
  mkdirSync(path.join(to, 'objects', 'info'), { recursive: true })
  copyFileSync(path.join(from, 'HEAD'), path.join(to, 'HEAD'))
  for (const name of ['config', 'packed-refs', 'refs']) link(from, to, name)
  for (const name of readdirSync(path.join(from, 'objects'))) {
    if (name !== 'info') link(from, to, path.join('objects', name))
  }
  for (const name of ['commit-graph', 'commit-graphs']) {
    link(from, to, path.join('objects', 'info', name))
  }
  const { status, stderr } = spawnSync('git', ['--git-dir', to, 'update-server-info'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Failure(`git update-server-info failed: ${stderr}`)
}

function link(from, to, name) {
  const file = path.join(from, name)
  if (existsSync(file)) symlinkSync(file, path.join(to, name))
}

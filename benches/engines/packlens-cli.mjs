// packlens by its command line, which takes git's arguments.
import { spawnSync } from 'node:child_process'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { jobs as git } from './git.mjs'

export const name = 'packlens-cli'
const cli = inRoot('dist', 'node', 'cli', 'packlens.cjs')

export function version() {
  return spawnSync(process.execPath, [cli, '--version'], { encoding: 'utf8' }).stdout.trim()
}

/** packlens has the same commands as git's command line, if it has them at all. */
export const jobs = Object.fromEntries(
  Object.entries({
    ...git,
    'refs-reftable': git.refs,
    'available-reftable': git.available,
    'index-pack': indexPack,
  }).map(([job, contenders]) => [job, (task) => asPacklens(contenders(task))]),
)

/** As git, without a number of threads. */
function indexPack({ repository, pack, scratch }) {
  const file = scratch('idx')
  return [{ command: ['git', '--git-dir', repository, 'index-pack', '-o', file, pack], file }]
}

function asPacklens(contenders) {
  const missing = contenders.map(commandOf).find((command) => !commands().includes(command))
  if (missing) return { missing: `there is no packlens ${missing}` }
  return contenders.map((contender) => {
    const [, ...args] = contender.command
    return { ...contender, command: [process.execPath, cli, ...args] }
  })
}

/** The arguments after `git --git-dir DIR`. */
function commandOf({ command: [, , , name] }) {
  return name
}

/** The commands that `packlens --help` names. */
function commands() {
  const { stdout } = spawnSync(process.execPath, [cli, '--help'], { encoding: 'utf8' })
  return [...stdout.matchAll(/^ {3}([a-z-]+)/gm)].map(([, name]) => name)
}

// Reads the project's own repository with git, if there is one.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { inRoot, root } from './paths.mjs'
import { Failure } from './shell.mjs'

/** Runs git in the project's folder and returns what it prints. */
export function git(args) {
  // Variables such as GIT_DIR, set while a hook runs, would name another repository.
  const names = Object.keys(process.env).filter((name) => !name.startsWith('GIT_'))
  const env = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  const options = { cwd: root, env, input: '', encoding: 'utf8', maxBuffer: 64 << 20 }
  const { status, stdout, stderr, error } = spawnSync('git', args, options)
  if (error?.code === 'ENOENT') throw new Failure('git is not installed')
  if (status !== 0) throw new Failure(`git ${args[0]} says ${error?.message ?? stderr.trim()}`)
  return stdout
}

/** Returns `{ head, refs, objectFormat }`, or `{ reason }` if there is no history to pack. */
export function ownRepository() {
  if (!existsSync(inRoot('.git'))) return { reason: 'there is no .git here' }
  try {
    const facts = [
      '--show-toplevel',
      '--show-object-format',
      'HEAD',
      '--symbolic-full-name',
      'HEAD',
    ]
    const [top, objectFormat, oid, name] = git(['rev-parse', ...facts]).split('\n')
    if (realpathSync(top) !== realpathSync(root)) return { reason: '.git is of another folder' }
    const head = name.startsWith('refs/') ? `ref: ${name}` : oid
    return { head, refs: allRefs(), objectFormat }
  } catch (error) {
    return { reason: error.message.split('\n')[0] }
  }
}

function allRefs() {
  const refs = {}
  for (const line of git(['for-each-ref', '--format=%(objectname) %(symref) %(refname)']).split(
    '\n',
  )) {
    const [, oid, symref, name] = /^([0-9a-f]+) (\S*) (.*)$/.exec(line) ?? []
    if (name) refs[name] = symref ? `ref: ${symref}` : oid
  }
  return refs
}

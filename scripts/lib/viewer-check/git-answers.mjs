// What git says about a repository, in the form in which the viewer shows it.
import { spawnSync } from 'node:child_process'

const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

export class GitAnswers {
  #program
  #gitDir

  constructor(program, gitDir) {
    this.#program = program
    this.#gitDir = gitDir
  }

  /** Returns what git prints, decoded as a browser does; `grep` may find nothing. */
  text(args) {
    const all = ['--git-dir', this.#gitDir, '-c', 'core.quotePath=false', ...args]
    const { status, stdout, stderr } = spawnSync(this.#program, all, { env, maxBuffer: 1 << 30 })
    if (status !== 0 && !(args[0] === 'grep' && status === 1)) {
      throw new Error(`git ${args.join(' ')}: ${stderr}`)
    }
    return stdout.toString()
  }

  lines(args) {
    return this.text(args).split('\n').slice(0, -1)
  }

  fields(args) {
    return this.text(args).split('\0').slice(0, -1)
  }

  /** The names of a folder's entries. */
  names(folder) {
    return this.fields(['ls-tree', '-z', '--name-only', `HEAD:${folder}`]).sort()
  }

  lastChange(path) {
    return this.lines(['log', '-1', '--format=%H', 'HEAD', '--', `:(literal)${path}`])[0]
  }

  commits(range, most) {
    return this.lines(['log', '--format=%H', `-${most}`, ...range])
  }

  /** Each changed file: its path, with the old one of a rename, and its added and removed lines. */
  changes(old, changed) {
    const fields = this.fields(['diff', '--numstat', '-M', '-z', old, changed])
    const files = []
    for (let at = 0; at < fields.length; ) {
      const [added, removed, path] = fields[at++].split('\t')
      const name = path || `${fields[at++]} → ${fields[at++]}`
      files.push([name, added === '-' ? '' : `+${added} −${removed}`])
    }
    return files
  }

  /** The commit of each line of a file. */
  blame(path) {
    const heads = this.lines(['blame', '--porcelain', 'HEAD', '--', path])
      .map((line) => /^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/.exec(line))
      .filter(Boolean)
    const commits = []
    for (const [, commit, line] of heads) commits[Number(line) - 1] = commit
    return commits
  }

  /** The path and number of each line with a text, whatever its case. */
  search(text) {
    const lines = this.lines(['grep', '-I', '-i', '-n', '-z', '-F', '-e', text, 'HEAD'])
    return lines.map((line) => {
      const [path, number] = line.split('\0')
      return [path.replace(/^HEAD:/, ''), Number(number)]
    })
  }

  /** The distance of a branch from HEAD. */
  distance(branch) {
    const args = ['rev-list', '--left-right', '--count', `HEAD...${branch}`]
    const [behind, ahead] = this.lines(args)[0].split('\t').map(Number)
    return `+${ahead.toLocaleString('en')} −${behind.toLocaleString('en')}`
  }

  refs(prefix) {
    return this.lines(['for-each-ref', '--format=%(refname:lstrip=2)', prefix])
  }
}

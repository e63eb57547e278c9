// What git says about the repository, in the form in which VS Code shows it.
import { spawnSync } from 'node:child_process'

export class GitAnswers {
  #gitDir

  constructor(gitDir) {
    this.#gitDir = gitDir
  }

  /** Returns what git prints as bytes; a failure throws, but for `grep` that finds nothing. */
  bytes(args) {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
    const options = { env, maxBuffer: 1 << 30 }
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['--git-dir', this.#gitDir, ...args],
      options,
    )
    if (status !== 0 && !(args[0] === 'grep' && status === 1)) {
      throw new Error(`git ${args.join(' ')}: ${stderr}`)
    }
    return stdout
  }

  fields(args) {
    return this.bytes(args).toString().split('\0').slice(0, -1)
  }

  lines(args) {
    return this.bytes(args).toString().split('\n').slice(0, -1)
  }

  /** The entries of a directory; those whose names a URI cannot have are left out. */
  directory(ref, path = '') {
    const entries = this.fields(['ls-tree', '-z', `${ref}:${path}`]).map((line) => {
      const [, type, name] = /^\d+ (\w+) \w+\t(.*)$/s.exec(line)
      return [name, type !== 'blob']
    })
    return entries.filter(([name]) => isShown(name)).sort(byName)
  }

  /** The paths of all files or of all folders of a commit. */
  paths(ref, type) {
    const lines = this.fields(['ls-tree', '-r', '-t', '-z', ref])
    const found = lines.map((line) => /^\d+ (\w+) \w+\t(.*)$/s.exec(line))
    return found.filter(([, is, path]) => is === type && isShown(path)).map(([, , path]) => path)
  }

  /** The names of refs of a kind; a tag of no commit is one, too. */
  names(kind) {
    const format = `--format=%(refname:lstrip=2)`
    return this.lines(['for-each-ref', format, `refs/${kind}`])
  }

  commits(ref, most) {
    const rows = this.fields(['log', '-z', '--format=%h%x01%an%x01%s', `-${most}`, ref])
    return rows.map((row) => {
      const [, author, subject] = row.split('\x01')
      return [subject, author]
    })
  }

  /** What a commit changes of its first parent. */
  changed(ref) {
    const [, parent] = this.lines(['rev-list', '--parents', '-1', ref])[0].split(' ')
    const sides = parent ? [parent, ref] : ['--root', ref]
    const flags = ['-r', '-z', '-M', '--no-commit-id', '--name-status']
    const printed = this.fields(['diff-tree', ...flags, ...sides])
    const files = []
    for (let at = 0; at < printed.length; ) {
      const [letter] = printed[at++]
      const path = printed[at++]
      files.push([letter === 'R' ? printed[at++] : path, letter === 'T' ? 'M' : letter])
    }
    return files.filter(([path]) => isShown(path)).sort(byName)
  }

  /** The subject of the commit of each range of lines, in the order of lines. */
  blamed(ref, path) {
    const printed = this.bytes(['blame', '--incremental', ref, '--', path]).toString()
    const ranges = [...printed.matchAll(/^([0-9a-f]{40,64}) \d+ (\d+) \d+$/gm)]
    const sorted = ranges.sort((one, other) => one[2] - other[2])
    return sorted.map(([, oid]) => this.lines(['show', '-s', '--format=%s', oid])[0])
  }

  /** The paths with a text, and in each how often it is. */
  found(ref, flags, pattern) {
    const all = ['grep', '-I', '-z', '-o', ...flags, '-e', pattern, ref]
    const counts = new Map()
    for (const [, place] of this.bytes(all)
      .toString()
      .matchAll(/([^\0]*)\0[^\n]*\n/g)) {
      const path = place.slice(ref.length + 1)
      counts.set(path, (counts.get(path) ?? 0) + 1)
    }
    return [...counts].sort(byName)
  }
}

const isShown = (name) => !name.includes('\ufffd')
export const byName = ([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)

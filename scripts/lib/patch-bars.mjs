// Compares the patches of many commits with git's, with the options that users type.
import { spawnSync } from 'node:child_process'

/** How many commits git is asked about at once. */
const BATCH = 50

/** The kinds of comparisons, by the name of the option that has their number. */
export const BARS = {
  commits: {
    what: 'commits, -r -M -p',
    list: ['--no-merges', '--min-parents=1'],
    flags: ['-r', '-M', '-p'],
    answer: (repo, commit) =>
      bytesOf(repo.patches(`${commit}^`, commit, { renames: true, abbrev: 'auto' })),
  },
  merges: {
    what: 'merges, --cc',
    list: ['--merges'],
    flags: ['--cc'],
    answer: (repo, commit) => bytesOf(repo.combinedPatches(commit, { abbrev: 'auto' })),
  },
  scores: {
    what: 'commits with renames, -M -C --find-copies-harder -B',
    list: ['--no-merges', '--min-parents=1'],
    // The paths of changes are bytes, where those in patches are quoted as git's are.
    settings: ['-c', 'core.quotePath=false'],
    flags: ['-r', '-M', '-C', '--find-copies-harder', '-B', '--raw', '--no-abbrev'],
    /** Only commits with a rename, a copy or a rewritten file say something of scores. */
    isTelling: (expected) => /^:[^\t]* [RCM]\d\d\d\t/m.test(expected.toString('latin1')),
    answer: (repo, commit) => rawOf(repo, commit),
  },
}

function bytesOf(patches) {
  return Buffer.concat([...patches].map(({ bytes }) => bytes))
}

function rawOf(repo, commit) {
  const options = { renames: 'copies-of-any', rewrites: true }
  const mode = (mode) => (mode ?? 0).toString(8).padStart(6, '0')
  const oid = (id) => id ?? '0'.repeat(commit.length)
  const letters = { added: 'A', deleted: 'D', modified: 'M', renamed: 'R', copied: 'C' }
  const lines = [...repo.diff(`${commit}^`, commit, options)].map((change) => {
    const score = change.similarity ?? change.dissimilarity
    const letter = letters[change.status] ?? 'T'
    const scored = letter + (score === null ? '' : String(score).padStart(3, '0'))
    const paths = [...(change.similarity === null ? [] : [change.oldPath]), change.path]
    const modes = `${mode(change.oldMode)} ${mode(change.newMode)}`
    return `:${modes} ${oid(change.oldOid)} ${oid(change.newOid)} ${[scored, ...paths].join('\t')}\n`
  })
  return Buffer.from(lines.join(''))
}

/** Returns what `git diff-tree --stdin` prints of each commit. */
function expectedOf(git, commits, { settings = [], flags }) {
  const args = [...settings, 'diff-tree', '--stdin', ...flags]
  const out = git(args, commits.map((commit) => `${commit}\n`).join(''))
  const all = new Map(commits.map((commit) => [commit, Buffer.alloc(0)]))
  // No line of a patch begins with the digits of an id.
  const starts = commits.map((commit) => {
    const id = Buffer.from(`${commit}\n`)
    if (out.subarray(0, id.length).equals(id)) return [0, commit]
    return [out.indexOf(Buffer.concat([Buffer.from('\n'), id])) + 1, commit]
  })
  const found = starts.filter(([at, commit]) => at > 0 || out.indexOf(commit) === 0)
  found.sort(([one], [other]) => one - other)
  found.forEach(([at, commit], place) => {
    const text = out.subarray(at + commit.length + 1, found[place + 1]?.[0])
    // Between raw lines and patches, and after the id of a merge, git prints an empty line.
    all.set(commit, text[0] === 0x0a ? text.subarray(1) : text)
  })
  return all
}

/** Compares `number` commits; returns how many were compared and how many differ. */
export function compareBar(bar, { repo, git, random, number }) {
  const { list, isTelling = () => true, answer } = bar
  const commits = git(['rev-list', '--all', ...list])
    .toString()
    .trim()
    .split('\n')
  let [compared, differences] = [0, 0]
  const seen = new Set()
  while (compared < number && seen.size < commits.length) {
    const batch = []
    while (batch.length < BATCH && seen.size < commits.length) {
      const commit = commits[random(commits.length)]
      if (seen.has(commit)) continue
      seen.add(commit)
      batch.push(commit)
    }
    for (const [commit, expected] of expectedOf(git, batch, bar)) {
      if (compared >= number || !isTelling(expected)) continue
      compared++
      if (answer(repo, commit).equals(expected)) continue
      differences++
      console.log(`differs: git diff-tree ${flags.join(' ')} ${commit}`)
    }
  }
  return { compared, differences }
}

/** Runs git with an input; returns its output. */
export function gitRunner(program, gitDir) {
  // Neither attributes nor settings of users.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const plain = ['-c', 'core.attributesFile=/dev/null', '-c', 'attr.tree=', '--git-dir', gitDir]
  return (args, input) => {
    const options = { maxBuffer: 1 << 30, env: { ...env, LC_ALL: 'C.UTF-8' }, input }
    const { status, stdout, stderr } = spawnSync(program, [...plain, ...args], options)
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout
  }
}

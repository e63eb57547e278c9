/** `packlens blame` prints what git prints, over made histories and commits of many kinds. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { histories, NOW, QUESTIONS } from '../fixtures/blame-questions.mjs'
import { identLines } from '../fixtures/ident-lines.mjs'
import { COMMITS, FILE, writeLineCommits } from '../fixtures/line-commits.mjs'
import { environment, run } from './cli-support.ts'
import { root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-blame-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const history = path.join(folder, 'lines')
const kinds = path.join(folder, 'commits')
const idents = path.join(folder, 'idents')

const fixture = (name: string) =>
  JSON.parse(readFileSync(path.join(root, 'tests', 'fixtures', name), 'utf8'))

beforeAll(() => {
  histories(folder, (args, input) => git(folder, args, input))
  git(idents, ['init', '-q', '--bare', idents])
  const commits = identLines.map((line) => [`author ${line}\ncommitter C <c@x> 6 +0000\n`, 'x\n'])
  writeLineCommits(idents, commits as [string, string][])
})

/** Returns the output and the exit code of git, bytes as characters. */
function gitAnswer(args: readonly string[], cwd = folder) {
  const options = { env: environment, maxBuffer: 1 << 28, cwd }
  const { status, stdout, stderr } = spawnSync('git', args, options)
  return { exit: status, stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1') }
}

/** Compares the output and the exit code with git's; returns the output. */
function compare(args: readonly string[], cwd = folder, answer = gitAnswer(args, cwd)): string {
  const { exit, stdout } = answer
  const own = run(cwd, args)
  expect({ exit: own.exit, stdout: own.stdout.toString('latin1') }, args.join(' ')).toEqual({
    exit,
    stdout,
  })
  return stdout
}

const blame = (gitDir: string, ...args: readonly string[]) => [
  '--git-dir',
  gitDir,
  'blame',
  ...args,
]

/** Options of formats for people, and of others. */
const FOR_PEOPLE = [[], ['-fns'], ['-e', '-t'], ['--abbrev=12', '--date=rfc']]
const FLAGS = [
  ['-p'],
  ['--line-porcelain', '-w'],
  ['--incremental'],
  ['-c', '-l'],
  ['-l', '-b'],
  ['-l', '--root', '--first-parent'],
  ['-p', '--root', '--minimal'],
  ['--no-abbrev', '--date', 'short'],
  ['-p', '-L2,5', '-L7,9', '-L4,4'],
  ['--incremental', '-L3,4', '-L5,6', '--no-indent-heuristic'],
  ['-l', '-L,5', '--show-name', '--no-show-name'],
  ['-p', '-M'],
  ['--line-porcelain', '-M5', '-w'],
  ['-lfn', '-C', '-C8', '-M0'],
  ['--line-porcelain', '-C', '-C', '-C12'],
]

/** Files of some commits: each commit and a name. */
let files: (readonly [commit: string, name: string])[] = []

beforeAll(() => {
  const commits = git(history, ['rev-list', '--all']).filter((_, at) => at % 24 === 3)
  files = commits.flatMap((commit) => {
    const paths = git(history, ['ls-tree', '-r', '--name-only', commit])
    return paths.filter((name) => !name.startsWith('"')).map((name) => [commit, name] as const)
  })
})

/** Returns arguments for files of some commits. */
function questions(flags: readonly string[]): string[][] {
  return files.map(([commit, name]) => blame(history, ...flags, commit, '--', name))
}

const titled = (all: readonly (readonly string[])[]) =>
  all.map((flags) => [flags.join(' '), flags] as const)

describe('histories', () => {
  test.each(titled(FLAGS))('%s', (_, flags) => {
    const printed = questions(flags).map((args) => compare(args))
    expect(printed.filter((stdout) => stdout !== '').length).toBeGreaterThan(15)
    const names = printed.map((stdout) => new Set(stdout.match(/(?<=^filename ).*/gm) ?? []).size)
    if (flags.join() === '-p') expect(Math.max(...names)).toBeGreaterThan(1)
  })

  // Before git 2.52, ids had one digit more than they needed if none was marked with `^`.
  test.each(titled(FOR_PEOPLE))('for people %s', (_, flags) => {
    const answers = questions(flags).map((args) => [args, gitAnswer(args)] as const)
    const marked = answers.filter(([, { stdout }]) => /^\^/m.test(stdout))
    expect(marked.length).toBeGreaterThan(10)
    for (const [args, answer] of marked) compare(args, folder, answer)
  })
})

describe('commits of many kinds', () => {
  test.each([
    [[]],
    [['-p']],
    [['--line-porcelain']],
    [['--incremental']],
    [['-c', '-l']],
    [['-e']],
    [['-t', '-f']],
  ])('%j', (flags) => {
    expect(compare(blame(kinds, ...flags, 'main', '--', FILE)).length).toBeGreaterThan(1000)
    expect(compare(blame(idents, ...flags, 'main', '--', FILE)).length).toBeGreaterThan(40)
  })

  // Dates that git cannot show end the output.
  test('each author alone', () => {
    for (const at of identLines.keys()) {
      const flags = ['-lc', '--date=default', `-L${at + 1},${at + 1}`]
      compare(blame(idents, ...flags, 'main', '--', FILE))
    }
  })

  test('encodings are those of git log', () => {
    const cases: { encoding: string; message: string; shown: string }[] = fixture('encodings.json')
    const gitDir = path.join(folder, 'encodings')
    git(gitDir, ['init', '-q', '--bare', gitDir])
    const who = 'A <a@x> 5 +0000'
    const commits = cases.map(({ encoding, message }) => {
      const headers = `author ${who}\ncommitter ${who}\nencoding ${encoding}\n`
      return [headers, `${message}\n`] as const
    })
    writeLineCommits(gitDir, commits)
    const { stdout } = run(folder, blame(gitDir, '-p', 'main', '--', FILE))
    const summaries = stdout.toString('latin1').match(/(?<=^summary ).*/gm)
    expect(summaries).toEqual(cases.map(({ shown }) => shown))
  })
})

describe('the newest git', () => {
  const recorded: { flags: string[]; sha256: string }[] = fixture('blame.json')

  test.each(recorded)('$flags', ({ flags, sha256 }) => {
    const hash = createHash('sha256')
    for (const [name, question] of QUESTIONS) {
      const args = blame(path.join(folder, name), ...flags, ...question)
      const { exit, stdout } = run(folder, args, { env: { GIT_TEST_DATE_NOW: NOW } })
      expect(exit).toBe(0)
      hash.update(stdout)
    }
    expect(hash.digest('hex')).toBe(sha256)
  })
})

test.each([
  [['--ignore-rev', 'main~3']],
  [['-s', '--ignore-rev=main~3', '--no-ignore-rev', '--ignore-rev', 'main~9']],
  [['-p', 'main~9..main']],
  [['-l', '^main~9', '--root']],
  [['-l', '--reverse', 'main~9..main']],
  [['--incremental', '--reverse', 'main~9..']],
  [['-l', '--since=1300003000']],
  [['-l', '--ignore-rev', 'nothing']],
  [['-l', '--ignore-revs-file', 'nothing']],
  [['-l', 'main~3..main', 'main~4']],
  [['-l', '--reverse', 'main~3', 'main~4']],
  [['-l', '--reverse']],
  [['-l', '--reverse', '^main~3', '^main~4']],
])('ends of history %j', (flags) => {
  const names = flags.some((flag) => flag.includes('main~') && !flag.startsWith('--ignore'))
  const tip = names && !flags.includes('^main~9') ? [] : ['main']
  compare(blame(history, ...flags, ...(flags.includes('--reverse') ? [] : tip), '--', 'one.c'))
})

test('files of ignored commits', () => {
  const file = path.join(folder, 'ignored')
  const lines = (text: string) => {
    writeFileSync(file, text)
    return compare(blame(history, '-s', '--ignore-revs-file', file, 'main', '--', 'one.c'))
  }
  const [commit, tree] = git(history, ['rev-parse', 'main~3', 'main^{tree}'])
  const plain = lines(`# formatting\n\n${tree}\n`)
  const found = git(history, ['log', '--format=%H', 'main', '--', 'one.c'])
  expect(lines(` ${found[1]} # one\n${commit}\n`)).not.toBe(plain)
  expect(lines('main\n')).toBe('')
})

const RANGES = [
  ...['4', ',2', '3,', '5,3', '3,+2', '3,-2', '3,-20', '', ',', '+3', '3, 5', ' 3,5', '3,+ 2'],
  ...['3,300', ',300', '300,2', ',+2', ',-2', '1,--2', '1,+-2', '20', '20,21'],
  ...['0,3', '-3', '300', '3,+0', '3,-0', '3,0', '300,', '99999999999999999999', '0x3', ',0', '-0'],
  ...['3x', '3,x', '$', '3,5,6', '2,+', '1 ,2', '2,+2x', '21'],
]

test.each(RANGES.map((range) => [range]))('-L %j', (range) => {
  compare(blame(history, '-l', '-L', range, 'main', '--', 'one.c'))
})

describe('arguments', () => {
  test.each([
    [[]],
    [['main']],
    [['--']],
    [['main', '--']],
    [['main', '--', 'nothing']],
    [['main', '--', 'dir']],
    [['main', '--', 'dir/one.c/']],
    [['main', '--', '']],
    [['main', '--', '../one.c']],
    [['main', '--', 'dir/../one.c']],
    [['main', 'nothing']],
    [['nothing']],
    [['nothing', 'one.c']],
    [['nothing', '--', 'one.c']],
    [['main', 'one.c']],
    [['one.c', 'main']],
    [['--', 'one.c', 'main']],
    [['one.c']],
    [['main', 'main', 'one.c']],
    [['main', 'main~1', '--', 'one.c']],
    [['main', '--', 'one.c', 'two.c']],
    [['main^{tree}', '--', 'one.c']],
    [['main:one.c', '--', 'one.c']],
    [['--abbrev=x', 'main', '--', 'one.c']],
    [['--date=x', 'main', '--', 'one.c']],
    [['--date=', 'main', '--', 'one.c']],
    [['-p', '--date=x', 'main', '--', 'one.c']],
    [['--nothing', 'main', '--', 'one.c']],
  ])('%j', (args) => {
    compare(blame(history, '-l', ...args))
  })

  test('Ids of SHA-256', () => {
    const tree = path.join(folder, 'sha256')
    gitAnswer(['init', '-q', '--object-format=sha256', tree])
    writeFileSync(path.join(tree, 'file'), 'one\n')
    commit(tree)
    writeFileSync(path.join(tree, 'file'), 'one\ntwo\n')
    commit(tree)
    for (const flags of [[], ['-p'], ['-l'], ['-c', '-l'], ['--abbrev=50'], ['--incremental']]) {
      compare(['blame', ...flags, 'HEAD', '--', 'file'], tree)
    }
  })

  test('Lines around others are not joined', () => {
    const tree = path.join(folder, 'around')
    gitAnswer(['init', '-q', tree])
    writeFileSync(path.join(tree, 'file'), 'one\ntwo\n')
    commit(tree)
    writeFileSync(path.join(tree, 'file'), 'one\nnew\ntwo\n')
    commit(tree)
    const stdout = compare(['blame', '-p', '-L1,1', '-L3,3', 'HEAD', '--', 'file'], tree)
    expect(stdout.match(/^[0-9a-f]{40} \d \d \d$/gm)).toHaveLength(2)
  })

  describe('Lines are named by patterns:', () => {
    const tree = path.join(folder, 'patterns')
    beforeAll(() => {
      gitAnswer(['init', '-q', tree])
      const one = 'int one()\n{\n\tfoo a\n}\n\n'
      const two = 'int two()\n{\n  foo a/b\n  bar\n}\n\n'
      writeFileSync(path.join(tree, 'file'), `${one}${two}static three()\n\tfoo\n\tx:y\n`)
      commit(tree)
    })

    test.each([
      ...[['/foo/'], ['3,/foo/'], ['/foo/,/foo/'], ['/foo/,+2'], ['/bar/,-2'], ['/foo/,-9']],
      ...[['/foo a\\/b/'], ['/foo/,'], ['//'], [',/two/'], ['/foo/,/int/'], ['/^$/,/^$/']],
      ...[[':two'], [':th'], [':foo'], [':^int t'], [':two,+1'], [':tw:o'], [':tw\\:o'], [':']],
      ...[
        [':int', ':int'],
        [':int', ':int', ':int'],
        [':int', '^:int'],
        ['1,14', ':int'],
      ],
      ...[
        ['1,4', '/foo/,+1'],
        ['1,4', '^/foo/,+1'],
        ['5,3', '/foo/,+1'],
        ['14', ':th'],
      ],
      ...[
        ['1,12', '/one/'],
        [',3', '/foo/'],
        ['/one/', '/foo/'],
        [':one', '/foo/,+1'],
      ],
      ...[['/none/'], [':none'], ['3,/none/'], ['14,/foo/'], ['/one/,/one/']],
      ...[['/foo'], ['/foo/x'], ['^:'], ['3,^/foo/'], ['^3,4'], ['/two/,:int'], ['/foo/,+0']],
    ])('-L %s %s %s', (...ranges) => {
      const given = ranges.filter((range) => range !== undefined)
      const args = ['blame', '-s', ...given.flatMap((range) => ['-L', range]), 'HEAD', '--', 'file']
      compare(args, tree)
      const message = /^fatal.*/m.exec(run(tree, args).stderr)?.[0]
      expect(message).toBe(/^fatal.*/m.exec(gitAnswer(args, tree).stderr)?.[0])
    })

    test('malformed ones', () => {
      const { exit, stderr } = run(tree, ['blame', '-L', '/a[/]/', 'HEAD', '--', 'file'])
      expect([exit, stderr]).toEqual([128, 'fatal: a regular expression is malformed: a[\n'])
    })
  })

  test('An empty file has no lines', () => {
    const tree = path.join(folder, 'empty')
    gitAnswer(['init', '-q', tree])
    writeFileSync(path.join(tree, 'file'), '')
    commit(tree)
    compare(['blame', 'HEAD', '--', 'file'], tree)
    compare(['blame', '-L1', 'HEAD', '--', 'file'], tree)
    compare(['blame', '-L,', 'HEAD', '--', 'file'], tree)
  })

  test.each([
    [['--contents', 'main'], '--contents'],
    [['-S', 'file'], '-S'],
    [['--until=1.week'], '--until'],
    [['--date=human', 'main'], "dates as 'human'"],
  ])('%j is not supported', (args, what) => {
    const revision = args.some((arg) => arg.includes('main')) ? [] : ['main']
    const { exit, stdout, stderr } = run(
      folder,
      blame(history, ...args, ...revision, '--', 'one.c'),
    )
    expect({ exit, stdout: `${stdout}` }).toEqual({ exit: 128, stdout: '' })
    expect(stderr).toBe(`fatal: packlens blame does not support ${what}\n`)
  })

  test('dates that are not seconds are not supported', () => {
    const args = blame(history, '--since=1.week', 'main', '--', 'one.c')
    const { exit, stderr } = run(folder, args)
    expect(exit).toBe(128)
    expect(stderr).toBe('fatal: packlens blame takes seconds only, not --since=1.week\n')
  })
})

/** Commits all files of a work tree. */
function commit(tree: string): void {
  const who = ['-c', 'user.name=Old', '-c', 'user.email=old@x']
  for (const args of [
    ['add', '--all'],
    [...who, 'commit', '-qm', 'all'],
  ]) {
    expect(gitAnswer(args, tree)).toMatchObject({ exit: 0, stderr: '' })
  }
}

describe('mailmaps', () => {
  const tree = path.join(folder, 'tree')
  const bare = path.join(folder, 'bare')

  beforeAll(() => {
    gitAnswer(['init', '-q', tree])
    mkdirSync(path.join(tree, 'dir'))
    writeFileSync(path.join(tree, 'dir', 'file'), 'one\ntwo')
    writeFileSync(path.join(tree, '.mailmap'), 'In History <new@x> <old@x>\n')
    commit(tree)
    expect(gitAnswer(['clone', '-q', '--bare', tree, bare])).toMatchObject({ exit: 0 })
    writeFileSync(path.join(tree, '.mailmap'), 'In Tree <OLD@X>\n')
  })

  const authors = (stdout: string) => [
    ...new Set(stdout.match(/(?<=^author(?:-mail)? ).*/gm) ?? []),
  ]

  test('A work tree has its own', () => {
    const stdout = compare(['blame', '-p', 'HEAD', '--', 'dir/file'], tree)
    expect(authors(stdout)).toEqual(['In Tree', '<old@x>'])
    compare(['blame', '-p', 'HEAD', '--', 'file'], path.join(tree, 'dir'))
    compare(['--git-dir=.git', 'blame', '-e', 'HEAD', '--', 'dir/file'], tree)
  })

  test('Without a work tree, that of HEAD counts', () => {
    const stdout = compare(['blame', '-p', 'HEAD', '--', 'dir/file'], bare)
    expect(authors(stdout)).toEqual(['In History', '<new@x>'])
    // The current folder has another one.
    compare(blame(bare, '-p', 'HEAD', '--', 'dir/file'), tree)
    expect(compare(blame(history, '-p', '-L1,1', 'main', '--', 'one.c'), tree)).toMatch('A U Thor')
  })

  test('A link is not followed', () => {
    rmSync(path.join(tree, '.mailmap'))
    writeFileSync(path.join(folder, 'elsewhere'), 'In Elsewhere <old@x>\n')
    symlinkSync(path.join(folder, 'elsewhere'), path.join(tree, '.mailmap'))
    expect(authors(compare(['blame', '-p', 'HEAD', '--', 'dir/file'], tree))).toContain('Old')
  })
})

test('A terminal gets no control characters', () => {
  const { stdout } = run(folder, blame(kinds, '-p', 'main', '--', FILE), { toTerminal: true })
  expect(stdout.toString()).toMatch('summary control ? ?[31m')
  expect(COMMITS.some(([, message]) => message.includes('control \x07 \x1b[31m'))).toBe(true)
})

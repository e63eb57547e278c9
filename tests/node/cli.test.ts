/**
 * Compares the command line with recorded answers of git.
 *
 * Standard output and exit code equal git's, byte for byte. Of standard error the
 * lines that begin with `fatal:` or `error:` equal git's, each once, if the
 * command failed. Other lines of git are advice, and are not compared:
 * warnings, hints, usages, and the candidates of ambiguous short ids
 * in a batch, whose answer reports the ambiguity too.
 */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../dist/node/cli/commands.js'
import type { Answer, Recorded } from './cli-support.js'
import { environmentOf, recordings, run, runProcess, unpacked } from './cli-support.js'

/** Usages list the flags of packlens, which are not all of git's. */
const isHelp = ({ args }: Recorded) => args[1] === '-h'

const titleOf = ({ cwd, args }: Recorded) => `${cwd}: ${JSON.stringify(args)}`
const titled = (cases: readonly Recorded[]) =>
  cases.map((recorded) => ({ title: titleOf(recorded), recorded }))

/** git does not promise this order: packlens lists bases first. */
const isUnordered = ({ args }: Recorded) => args.includes('--batch') && args.includes('--unordered')

const isComparable = (recorded: Recorded) => !isHelp(recorded) && !isUnordered(recorded)
const comparable = recordings.filter(isComparable)

/** Returns the lines with errors on standard error, each once. */
function complaints(stderr: string): string[] {
  const lines = stderr.replaceAll(unpacked, '<folder>').split('\n')
  return [...new Set(lines.filter((line) => /^(fatal|error|hint: Did you mean)\b/.test(line)))]
}

function expectSame(answer: Answer, recorded: Recorded): void {
  const { stdout, stdoutSize, stdoutSha256, exit, stderr } = recorded
  if (stdout !== undefined) {
    expect(answer.stdout.toString('latin1')).toBe(Buffer.from(stdout, 'base64').toString('latin1'))
  } else {
    expect(answer.stdout.length).toBe(stdoutSize)
    expect(createHash('sha256').update(answer.stdout).digest('hex')).toBe(stdoutSha256)
  }
  expect(answer.exit).toBe(exit)
  if (exit !== 0) expect(complaints(answer.stderr)).toEqual(complaints(stderr))
  // A usage is not compared, whatever it says.
  if (exit === 129) expect(answer.stderr).not.toBe('')
}

describe('answers as git does', () => {
  test.each(titled(comparable))('$title', ({ recorded }) => {
    const answer = run(recorded.cwd, recorded.args, environmentOf(recorded))
    expectSame(answer, recorded)
  })

  test.each(titled(recordings.filter(isUnordered)))('$title', ({ recorded }) => {
    const { cwd } = recorded
    const args = recorded.args.filter((arg) => arg !== '--unordered')
    const isSorted = (recorded: Recorded) =>
      recorded.cwd === cwd && String(recorded.args) === String(args)
    const { stdout, exit } = run(cwd, [...args, '--unordered'])
    const answers: Buffer[] = []
    for (let rest = stdout; rest.length > 0; ) {
      const line = rest.subarray(0, rest.indexOf(10) + 1)
      const length = line.length + Number(line.toString().split(' ')[2]) + 1
      answers.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    expect(Buffer.concat(answers).equals(stdout)).toBe(true)
    const inOrder = Buffer.concat(answers.sort(Buffer.compare))
    expectSame(
      { stdout: inOrder, stderr: '', exit, writes: [] },
      recordings.find(isSorted) as Recorded,
    )
  })

  test('covers all recordings', () => {
    const help = recordings.filter(isHelp)
    expect(help.map(({ args }) => args[0])).toEqual(['cat-file', 'ls-tree'])
    const unordered = recordings.filter(isUnordered).length
    expect(unordered).toBe(23)
    expect(comparable.length).toBe(recordings.length - help.length - unordered)
    expect(recordings.length).toBeGreaterThan(3600)
  })
})

describe('answers as git does in a process', () => {
  // What a process adds is arguments, streams, environment and exit: the first case of each
  // command and exit, and one of each with an input or an environment.
  const commands = [...Object.keys(COMMANDS), 'cat-file', 'ls-tree', 'rev-parse']
  const commandOf = ({ args }: Recorded) => args.find((arg) => commands.includes(arg))
  const kindsOf = (its: Recorded) => [
    `${commandOf(its)} ${its.exit}`,
    ...(its.stdin ? [`${commandOf(its)} with an input`] : []),
    ...(its.env ? [`${commandOf(its)} with an environment`] : []),
  ]
  const ofKinds = new Map<string, Recorded>()
  for (const its of [...comparable].reverse())
    for (const kind of kindsOf(its)) ofKinds.set(kind, its)
  const sample = [...new Set(ofKinds.values())]

  test('The sample has every recorded command, with its ways to fail', () => {
    expect(new Set(sample.map(commandOf))).toEqual(new Set(comparable.map(commandOf)))
    expect(new Set(sample.map(commandOf)).size).toBe(11)
    expect(ofKinds.size).toBeGreaterThan(40)
  })

  test.each(titled(sample))('$title', ({ recorded }) => {
    const answer = runProcess(recorded.cwd, recorded.args, environmentOf(recorded))
    expectSame(answer, recorded)
  })
})

describe('with split input', () => {
  const batches = comparable.filter(({ stdin, args }) => stdin && args[0] === 'cat-file')
  test.each([1, 2, 7])('%d bytes a read', (chunk) => {
    expect(batches.length).toBeGreaterThan(100)
    for (const recorded of batches) {
      expectSame(run(recorded.cwd, recorded.args, { ...environmentOf(recorded), chunk }), recorded)
    }
  })
})

describe('help', () => {
  const commands = [...`${run('main', ['--help']).stdout}`.matchAll(/^ {3}([a-z-]+) /gm)].map(
    ([, name = '']) => name,
  )

  test('covers all commands', () => expect(commands.length).toBe(34))

  test.each(commands)('%s -h and --help list the flags', (command) => {
    for (const [option, exit] of [
      ['-h', 129],
      ['--help', 0],
    ] as const) {
      // Help needs no repository.
      const answer = run('/', [command, option])
      expect(answer.stdout.toString()).toMatch(new RegExp(`^usage: packlens ${command} `))
      expect([option, answer.exit, answer.stderr]).toEqual([option, exit, ''])
    }
  })

  test('--help after other arguments is equal to -h', () => {
    expect(run('main', ['cat-file', '-t', '--help'])).toEqual(run('main', ['cat-file', '-h']))
  })

  test('lists the commands', () => {
    const { exit, stdout } = run('main', ['--help'])
    for (const command of ['cat-file', 'ls-tree', 'merge-base', 'rev-list', 'rev-parse'])
      expect(`${stdout}`).toContain(command)
    expect(exit).toBe(0)
    expect(run('main', [])).toMatchObject({ exit: 1, stderr: stdout.toString() })
  })

  test('an unknown command', () => {
    const what = (name: string) =>
      `packlens: '${name}' is not a packlens command. See 'packlens --help'.\n`
    expect(run('main', ['nonsense'])).toMatchObject({ exit: 1, stderr: what('nonsense') })
    for (const [given, meant] of [
      ['catfile', "'cat-file'"],
      ['rev-lsit', "'rev-list'"],
      ['rev', "'rev-list' or 'rev-parse'"],
      ['show-reff', "'show-ref'"],
    ] as const) {
      const { exit, stderr } = run('main', [given])
      expect([exit, stderr]).toEqual([1, `${what(given)}Did you mean ${meant}?\n`])
    }
    expect(run('main', ['x'.repeat(1 << 20)]).stderr).not.toContain('Did you mean')
  })

  test('an unknown option', () => {
    for (const [args, meant] of [
      [['for-each-ref', '--fromat=x'], "'--format'"],
      [['cat-file', '--batch-chek'], "'--batch-check'"],
      [['rev-list', '--max-cout=1'], "'--max-count'"],
      [['--git-dri=x', 'rev-parse'], "'--git-dir'"],
    ] as const) {
      const { exit, stderr } = run('main', args)
      expect([exit, stderr.includes(`Did you mean ${meant}?\nusage: `)]).toEqual([129, true])
    }
    const { stderr } = run('main', ['cat-file', '--nonsense'])
    expect(stderr).toMatch(/^error: unknown option `nonsense'\nusage: /)
  })

  test('the version', () => {
    expect(run('main', ['--version']).stdout.toString()).toMatch(
      /^packlens version \d+\.\d+\.\d+\n$/,
    )
  })
})

describe('the repository', () => {
  const head = run('tiny', ['rev-parse', 'HEAD']).stdout.toString()

  test('is named by -C, --git-dir and GIT_DIR', () => {
    const asked = ['rev-parse', 'HEAD']
    for (const answer of [
      run('.', ['-C', 'tiny', ...asked]),
      run('main', ['-C', '..', '-C', 'tiny', ...asked]),
      run('main', ['-C', '', '--git-dir', '../tiny', ...asked]),
      run('main', ['-C', '..', '--git-dir=tiny', ...asked]),
      run('main', asked, { env: { GIT_DIR: '../tiny' } }),
      runProcess('main', asked, { env: { GIT_DIR: '../tiny' } }),
    ]) {
      expect(answer.stdout.toString()).toBe(head)
    }
  })

  test.each([
    {
      args: ['-C', 'nope', 'rev-parse'],
      exit: 128,
      starts: "fatal: cannot change to 'nope': No such",
    },
    {
      args: ['--git-dir=nope', 'rev-parse'],
      exit: 128,
      starts: "fatal: not a git repository: 'nope'",
    },
    { args: ['-C', '/', 'rev-parse'], exit: 128, starts: 'fatal: not a git repository (or any of' },
    { args: ['-C'], exit: 129, starts: "no directory given for '-C' option\nusage: " },
    { args: ['--nonsense'], exit: 129, starts: 'unknown option: --nonsense\nusage: ' },
  ])('$args', ({ args, exit, starts }) => {
    const answer = run('main', args)
    expect(answer.exit).toBe(exit)
    expect(answer.stderr.slice(0, starts.length)).toBe(starts)
  })

  test('suggests the path that was meant', () => {
    const { exit, stderr } = run('worktree/repo/sub', ['rev-parse', 'HEAD:long.txt'])
    expect(exit).toBe(128)
    expect(stderr).toBe(
      "fatal: path 'sub/long.txt' exists, but not 'long.txt'\n" +
        "hint: Did you mean 'HEAD:sub/long.txt' aka 'HEAD:./long.txt'?\n",
    )
    const other = run('worktree/repo/sub', ['cat-file', '-p', 'HEAD:long.txt'])
    expect(other.stderr).toBe("fatal: path 'long.txt' does not exist in 'HEAD'\n")
  })

  test('checks content unless PACKLENS_VERIFY says otherwise', () => {
    const ask = (verify: string) =>
      run('main', ['cat-file', '-s', 'HEAD'], { env: { PACKLENS_VERIFY: verify } })
    expect(ask('none')).toEqual(ask('oid'))
    expect(ask('crc')).toEqual(ask('oid'))
    const { exit, stderr } = ask('sha')
    const expected = "fatal: PACKLENS_VERIFY must be 'oid', 'crc' or 'none', not 'sha'\n"
    expect({ exit, stderr }).toEqual({ exit: 128, stderr: expected })
  })

  test('limits its memory by PACKLENS_MEMORY', () => {
    const args = ['cat-file', '-s', 'HEAD']
    expect(run('main', args, { env: { PACKLENS_MEMORY: '2m' } }).exit).toBe(0)
    const { exit, stderr } = run('main', args, { env: { PACKLENS_MEMORY: 'much' } })
    expect({ exit, stderr }).toEqual({
      exit: 128,
      stderr: "fatal: PACKLENS_MEMORY must be from 1m to 3g, not 'much'\n",
    })
  })
})

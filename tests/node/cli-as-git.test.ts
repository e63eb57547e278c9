/** Options and variables that git's own tests ask for: see docs/proof.md. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-as-git-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Env = Readonly<Record<string, string>>

function git(args: readonly string[], { stdin = '', env = {} as Env } = {}) {
  const options = { cwd: folder, env: { ...environment, ...env }, input: stdin }
  const { status, stdout, stderr } = spawnSync('git', args, options)
  return { exit: status, stdout: stdout.toString('latin1'), stderr: stderr.toString() }
}

function commit(name: string): void {
  for (const file of ['a', name]) {
    writeFileSync(path.join(folder, file), `1\n2\n3\n4\n5\n6\n7\n8\n${name}\n`)
  }
  git(['add', '.'])
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@x']
  git([...who, 'commit', '-q', '-m', name])
}

beforeAll(() => {
  git(['init', '-q', '-b', 'main'])
  commit('first')
  git(['branch', 'side'])
  commit('second')
  git(['update-ref', 'refs/hidden/a', 'HEAD'])
  git(['checkout', '-q', 'side'])
  commit('third')
  git(['-c', 'user.name=A', '-c', 'user.email=a@x', 'tag', '-a', '-m', 'v1', 'v1'])
  git(['checkout', '-q', 'main'])
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@x']
  git([...who, 'merge', '-q', '-s', 'ours', '-m', 'merge', 'side'])
  git(['update-ref', 'refs/namespaces/one/refs/hidden/b', 'side'])
  git(['update-ref', 'refs/heads/-dashed', 'side'])
  git(['checkout', '-q', '--detach', 'main~1'])
})

function compare(args: readonly string[], { stdin = '', env = {} as Env } = {}): string {
  const theirs = git(args, { stdin, env })
  const own = run(folder, args, { stdin: Buffer.from(stdin), env })
  const answer = { exit: own.exit, stdout: own.stdout.toString('latin1') }
  expect(answer, args.join(' ')).toEqual({ exit: theirs.exit, stdout: theirs.stdout })
  return answer.stdout
}

describe('--exclude-hidden', () => {
  const PATTERNS = [
    [],
    ['transfer.hideRefs=refs/hidden'],
    ['transfer.hideRefs=refs/hidden/'],
    ['transfer.hideRefs=refs/hid'],
    ['receive.hideRefs=refs/heads/side', 'uploadpack.hideRefs=refs/tags'],
    ['receive.hideRefs=refs/heads', 'receive.hideRefs=!refs/heads/side'],
    ['receive.hideRefs=!refs/heads/side', 'receive.hideRefs=refs/heads'],
    ['transfer.hideRefs=!refs/heads/side', 'receive.hideRefs=refs/heads'],
    ['receive.hideRefs=refs/heads', 'transfer.hideRefs=!^refs/heads/side'],
    ['transfer.hideRefs=HEAD', 'transfer.hideRefs=refs/heads//'],
    ['transfer.hideRefs=^refs/hidden', 'transfer.hideRefs=refs/tags'],
    ['transfer.hideRefs='],
  ]
  const ASKED = [
    ['rev-list', '--exclude-hidden=receive', '--all'],
    ['rev-list', '--exclude-hidden=uploadpack', '--exclude=refs/heads/*', '--all'],
    ['rev-list', '--exclude-hidden=receive', '--glob=*'],
    ['rev-list', '--exclude-hidden', 'receive', '--glob=hidden/*', 'side'],
    ['rev-list', '--exclude-hidden=receive', '--glob=heads/*', '--all'],
    ['log', '--oneline', '--exclude-hidden=receive', '--glob=tags', '--not', '--glob=hidden'],
    ['rev-parse', '--exclude-hidden=receive', '--all'],
    ['rev-parse', '--exclude-hidden=uploadpack', '--symbolic', '--glob=*'],
  ]
  test.each(PATTERNS.map((patterns) => [patterns]))('%j', (patterns) => {
    const settings = patterns.flatMap((pattern) => ['-c', pattern])
    for (const args of ASKED) {
      compare([...settings, ...args])
      compare([...settings, ...args], { env: { GIT_NAMESPACE: 'one' } })
    }
  })

  // git 2.39 knows no such section.
  test('of fetch', () => {
    const args = ['-c', 'fetch.hideRefs=refs/hidden', 'rev-parse', '--symbolic', '--all']
    const names = (args: string[]) => run(folder, args).stdout.toString().split('\n').slice(0, -1)
    const shown = names([...args.slice(0, 4), '--exclude-hidden=fetch', '--all'])
    expect(names(args).filter((name) => !shown.includes(name))).toEqual(['refs/hidden/a'])
  })

  test.each([
    ['rev-list', '--branches'],
    ['rev-list', '--tags=v*'],
    ['log', '--remotes'],
    ['rev-parse', '--branches'],
  ])('%s %s', (command, option) => {
    const args = [command, '--exclude-hidden=receive', option]
    compare(args)
    const [name] = option.split('=')
    // In the words of git 2.55.
    const message = `error: options '--exclude-hidden' and '${name}' cannot be used together\n`
    expect(run(folder, args).stderr.toString()).toContain(message)
  })

  test.each([['--exclude-hidden=all'], ['--exclude-hidden=receive --exclude-hidden=receive']])(
    'wrong: %s',
    (options) => {
      for (const command of ['rev-list', 'rev-parse']) {
        const args = [command, ...options.split(' '), '--all']
        compare(args)
        expect(run(folder, args).stderr.toString()).toBe(git(args).stderr)
      }
    },
  )
})

describe('--end-of-options', () => {
  test.each([
    [['rev-list', '--end-of-options', '-dashed']],
    [['log', '--oneline', '--end-of-options', '-dashed', '--', 'a']],
    [['log', '--oneline', '--end-of-options', '--all']],
    [['show', '-s', '--oneline', '--end-of-options', '-dashed']],
    [['shortlog', '-s', '--end-of-options', '-dashed']],
  ])('%j', (args) => {
    compare(args)
  })

  test('on standard input', () => {
    compare(['log', '--oneline', '--stdin'], { stdin: 'main~1\n' })
    const stdin = 'main\n--not\n--end-of-options\n-dashed\n--\na\n'
    const { exit, stdout } = run(folder, ['rev-list', '--stdin'], { stdin: Buffer.from(stdin) })
    // git 2.39 knows the option on the command line only.
    expect({ exit, stdout: stdout.toString() }).toEqual({
      exit: 0,
      stdout: git(['rev-list', 'main', '^side', '--', 'a']).stdout,
    })
  })
})

describe('log.diffMerges', () => {
  const VALUES = ['separate', 'on', 'm', 'combined', 'c', 'cc', 'first-parent', '1', 'off', 'none']
  test.each(VALUES)('%s', (value) => {
    for (const flags of [
      ['-m', '-p'],
      ['-m'],
      ['--diff-merges=on'],
      ['--diff-merges=m', '-p'],
      [],
    ]) {
      compare(['-c', `log.diffMerges=${value}`, 'log', ...flags, 'main'])
      compare(['-c', `log.diffMerges=${value}`, 'show', ...flags, 'main'])
    }
  })

  test('a wrong value', () => {
    compare(['-c', 'log.diffMerges=wrong', 'log', 'main'])
    expect(run(folder, ['-c', 'log.diffMerges=wrong', 'log']).exit).toBe(128)
  })
})

test.each([
  [['diff', '-U', 'main~1', 'side']],
  [['diff', '--unified', 'main~1', 'side']],
  [['diff', '-U0', 'main~1', 'side']],
  [['log', '-U', '-1']],
])('%j', (args) => {
  expect(compare(args)).toContain('diff --git')
})

test.each([
  [['diff-tree', '--abbrev', '-r', 'main~1', 'side']],
  [['diff-tree', '-r', 'main~1', 'side']],
  [['diff', '--raw', 'main~1', 'side']],
  [['log', '-c', '--raw', 'main']],
  [['diff', 'main~1', 'side']],
])('GIT_PRINT_SHA1_ELLIPSIS: %j', (args) => {
  compare(args, { env: { GIT_PRINT_SHA1_ELLIPSIS: 'yes' } })
  compare(args, { env: { GIT_PRINT_SHA1_ELLIPSIS: 'no' } })
})

describe('describe of a blob', () => {
  test.each([
    [['main:a'], ['main~1:a'], ['main~1:second'], ['side:a'], ['--all', 'main~1:first']],
    [['--tags', 'main~1:a'], ['--always', 'main~1:first'], ['--always', 'v1:third'], ['v1:third']],
  ])('%j %j %j %j', (...asked) => {
    git(['checkout', '-q', 'main'])
    for (const args of asked) {
      compare(['describe', ...args])
      const { stderr } = run(folder, ['describe', ...args])
      expect(stderr.toString()).toBe(git(['describe', ...args]).stderr)
    }
  })

  // git 2.39 prints an empty line.
  test('that HEAD does not reach', () => {
    const oid = git(['hash-object', '-w', '--stdin'], { stdin: 'loose' }).stdout.trim()
    const message = `fatal: blob '${oid}' not reachable from HEAD\n`
    expect(run(folder, ['describe', oid]).stderr.toString()).toBe(message)
  })
})

test('describe of a blob on an unborn branch, as by git 2.55', () => {
  const head = git(['symbolic-ref', 'HEAD']).stdout.trim()
  git(['symbolic-ref', 'HEAD', 'refs/heads/none'])
  const { exit, stderr } = run(folder, ['describe', 'v1:a'])
  git(['symbolic-ref', 'HEAD', head])
  const oid = git(['rev-parse', 'v1:a']).stdout.trim()
  expect(exit).toBe(128)
  expect(stderr.toString()).toBe(`fatal: cannot search for blob '${oid}' on an unborn branch\n`)
})

test('name-rev --stdin', () => {
  const stdin = `a ${git(['rev-parse', 'side']).stdout} b`
  expect(compare(['name-rev', '--stdin'], { stdin })).toContain('(')
  compare(['name-rev', '--name-only', '--stdin'], { stdin })
})

test('diff.indentHeuristic counts for diff-tree, too', () => {
  const block = (name: string) => `/**\n * ${name}\n */\nvoid ${name}();\n\n`
  const texts = [block('a') + block('c'), block('a') + block('b') + block('c')]
  const [old, now] = texts.map((text) => {
    const oid = git(['hash-object', '-w', '--stdin'], { stdin: text }).stdout.trim()
    return git(['mktree'], { stdin: `100644 blob ${oid}\tspaces\n` }).stdout.trim()
  })
  const shown = [[], ['-c', 'diff.indentHeuristic=false'], ['-c', 'diff.indentHeuristic']].map(
    (settings) => compare([...settings, 'diff-tree', '-p', `${old}`, `${now}`]),
  )
  expect(shown[0]).toBe(shown[2])
  expect(shown[0]).not.toBe(shown[1])
})

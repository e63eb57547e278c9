/** `packlens status` prints git's long format, byte for byte. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { randomFrom } from '../fixtures/paths-history.mjs'
import { RandomWorktree } from '../fixtures/random-worktrees.mjs'
import { randomLongCall, StatesUnderWay } from '../fixtures/states-under-way.mjs'
import { run } from './cli-support.ts'
import { conflicted, gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-status-long-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_GLOBAL: '/dev/null' }

/** Before 2.45 git's hint about a branch that has diverged was another one. */
const asNewer = (text: string) =>
  text.replace(
    'use "git pull" to merge the remote branch into yours',
    'use "git pull" if you want to integrate the remote branch with yours',
  )

/** Compares the output and the exit code, and returns the output. */
function compare(cwd: string, ...args: string[]): string {
  const call = args.includes('status') ? args : ['status', ...args]
  const git = spawnSync('git', call, { cwd, env })
  const own = run(cwd, call)
  const text = asNewer(git.stdout.toString('latin1'))
  expect(own.stdout.toString('latin1'), call.join(' ')).toBe(text)
  expect(own.exit, call.join(' ')).toBe(git.status)
  return text
}

function repository(name: string): string {
  const place = path.join(folder, name)
  gitIn(folder, 'init', '-q', '-b', 'main', place)
  return place
}

function commit(place: string, file: string, text: string): void {
  write(place, file, text)
  gitIn(place, 'add', '--', file)
  gitIn(place, 'commit', '-q', '-m', `${file} ${text}`)
}

/** Runs git, which ends with an error where it leaves an operation to the user. */
function start(place: string, ...args: string[]): void {
  expect(() => gitIn(place, '-c', 'core.editor=true', ...args)).toThrow()
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('random operations, number %i', (seed) => {
  const random = randomFrom(seed * 104_729)
  for (let at = 0; at < 5; at++) random(2)
  const place = path.join(folder, `random-${seed}`)
  const worktree = new RandomWorktree(place, random, { splits: false })
  worktree.make()
  new StatesUnderWay(worktree, { several: false }).make()
  compare(place)
  for (let at = 0; at < 3; at++) compare(place, ...randomLongCall(random))
})

describe('the branch', () => {
  const upstream = repository('upstream')
  commit(upstream, 'a', '1\n')
  const place = path.join(folder, 'clone')
  gitIn(folder, 'clone', '-q', upstream, place)

  test('is compared with its upstream', () => {
    expect(compare(place)).toContain("Your branch is up to date with 'origin/main'.\n\nnothing")
    commit(place, 'b', '2\n')
    expect(compare(place)).toContain('by 1 commit.\n  (use "git push" to')
    commit(upstream, 'c', '3\n')
    commit(upstream, 'd', '4\n')
    gitIn(place, 'fetch', '-q')
    expect(compare(place)).toContain('have diverged,\nand have 1 and 2 different commits')
    expect(compare(place, '--no-ahead-behind')).toContain('refer to different commits')
    expect(compare(place, '-c', 'status.aheadBehind=false', 'status')).toContain('different')
    gitIn(place, 'reset', '-q', '--hard', 'HEAD^')
    expect(compare(place)).toContain('by 2 commits, and can be fast-forwarded.\n  (use "git pull"')
    gitIn(place, 'config', 'branch.main.merge', 'refs/heads/gone')
    expect(compare(place)).toContain('but the upstream is gone.')
  })

  test('is compared with what `status.compareBranches` names', () => {
    gitIn(place, 'config', 'branch.main.merge', 'refs/heads/main')
    gitIn(place, 'config', 'remote.mine.url', 'nowhere')
    gitIn(place, 'config', 'remote.mine.fetch', '+refs/heads/*:refs/remotes/mine/*')
    gitIn(place, 'config', 'remote.pushDefault', 'mine')
    gitIn(place, 'config', 'push.default', 'current')
    gitIn(place, 'config', 'status.compareBranches', '@{upstream} @{push} @{upstream}')
    gitIn(place, 'update-ref', 'refs/remotes/mine/main', 'origin/main')
    const own = run(place, ['status'])
    // As git 2.55 prints it; older versions know no such variable.
    expect(own.stdout.toString()).toBe(
      [
        'On branch main',
        "Your branch is behind 'origin/main' by 2 commits, and can be fast-forwarded.",
        '  (use "git pull" to update your local branch)',
        '',
        "Your branch is behind 'mine/main' by 2 commits, and can be fast-forwarded.",
        '  (use "git pull mine main" to update your local branch)',
        '',
        'nothing to commit, working tree clean',
        '',
      ].join('\n'),
    )
    // Where the remote's branch is not known by the name of its ref, nothing can be pulled by it.
    gitIn(place, 'update-ref', 'refs/mine/main', 'origin/main')
    gitIn(place, 'config', 'remote.mine.fetch', '+refs/heads/*:refs/mine/*')
    const other = run(place, ['-c', 'status.compareBranches=@{push}', 'status'])
    expect(other.stdout.toString()).toContain(
      "'mine/main' by 2 commits, and can be fast-forwarded.\n\n",
    )
    const wrong = run(place, ['-c', 'status.compareBranches=@{u}', 'status'])
    expect(wrong.stdout.toString()).toBe('On branch main\nnothing to commit, working tree clean\n')
    expect(wrong.stderr).toContain("warning: ignoring value '@{u}' for status.compareBranches")
  })
})

test('what a detached `HEAD` is at', () => {
  const place = repository('detached')
  for (const text of ['1\n', '2\n']) commit(place, 'a', text)
  gitIn(place, 'tag', 'v1')
  gitIn(place, 'tag', '-a', '-m', 'annotated', 'v2')
  gitIn(place, 'branch', 'other')
  gitIn(place, 'update-ref', 'refs/remotes/origin/x', 'HEAD')
  for (const [to, shown] of [
    ['v1', 'v1'],
    ['v2', 'v2'],
    ['refs/tags/v2', 'v2'],
    ['other', 'refs/heads/other'],
    ['origin/x', 'origin/x'],
    ['@', 'HEAD'],
    ['HEAD', '[0-9a-f]{7}'],
    ['v1^', '[0-9a-f]{7}'],
  ] as const) {
    gitIn(place, 'checkout', '-q', '--detach', to)
    expect(compare(place)).toMatch(new RegExp(`^HEAD detached at ${shown}\n`))
    gitIn(place, 'checkout', '-q', 'main')
  }
  gitIn(place, 'checkout', '-q', 'v1')
  commit(place, 'b', '3\n')
  expect(compare(place)).toMatch(/^HEAD detached from v1\n/)
  expect(compare(place, '-c', 'core.abbrev=12', 'status')).toMatch(/^HEAD detached from v1\n/)
  gitIn(place, 'tag', '-f', 'v1')
  expect(compare(place)).toMatch(/^HEAD detached from [0-9a-f]{7}\n/)
  rmSync(path.join(place, '.git/logs/HEAD'))
  expect(compare(place)).toMatch(/^Not currently on any branch\.\n/)
})

describe('operations', () => {
  const place = repository('operations')
  for (const [file, text] of [
    ['f', 'base\n'],
    ['k', 'base\n'],
  ] as const)
    commit(place, file, text)
  gitIn(place, 'checkout', '-q', '-b', 'topic')
  commit(place, 'f', 'topic\n')
  gitIn(place, 'rm', '-q', 'k')
  gitIn(place, 'commit', '-q', '-m', 'no k')
  gitIn(place, 'checkout', '-q', 'main')
  commit(place, 'f', 'main\n')
  commit(place, 'k', 'main\n')

  test('a merge', () => {
    start(place, 'merge', '-q', 'topic')
    expect(compare(place)).toContain('\tboth modified:   f\n\tdeleted by them: k\n')
    expect(compare(place, '-c', 'advice.statusHints=false', 'status')).not.toContain('(use')
    write(place, 'f', 'both\n')
    gitIn(place, 'add', 'f')
    gitIn(place, 'add', 'k')
    expect(compare(place)).toContain('All conflicts fixed but you are still merging.')
    gitIn(place, 'merge', '--abort')
  })

  test('commits that are picked and reverted', () => {
    start(place, 'cherry-pick', 'topic~1')
    expect(compare(place)).toContain('You are currently cherry-picking commit')
    gitIn(place, 'checkout', '-q', '--ours', 'f')
    gitIn(place, 'add', 'f')
    expect(compare(place)).toContain('all conflicts fixed: run "git cherry-pick --continue"')
    gitIn(place, 'cherry-pick', '--quit')
    start(place, 'cherry-pick', 'topic~1', 'topic')
    gitIn(place, 'reset', '-q', '--hard')
    gitIn(place, 'commit', '-q', '--allow-empty', '-m', 'instead')
    expect(compare(place)).toContain('Cherry-pick currently in progress.\n  (run "git')
    gitIn(place, 'cherry-pick', '--quit')
    commit(place, 'f', 'newer\n')
    start(place, 'revert', '--no-edit', 'HEAD~3')
    expect(compare(place)).toContain('You are currently reverting commit')
    gitIn(place, 'revert', '--abort')
    start(place, 'revert', '--no-edit', 'HEAD~3', 'HEAD~2')
    gitIn(place, 'reset', '-q', '--hard')
    gitIn(place, 'commit', '-q', '--allow-empty', '-m', 'instead')
    expect(compare(place)).toContain('Revert currently in progress.\n  (run "git')
    gitIn(place, 'revert', '--quit')
  })

  test('a rebase', () => {
    start(place, 'rebase', '-q', 'topic')
    expect(compare(place)).toMatch(
      /^interactive rebase in progress; onto [0-9a-f]{7}\nLast command/,
    )
    write(place, 'f', 'both\n')
    gitIn(place, 'add', 'f')
    expect(compare(place)).toContain('all conflicts fixed: run "git rebase --continue"')
    gitIn(place, 'rebase', '--abort')
    start(place, 'rebase', '-q', '--apply', 'topic')
    expect(compare(place)).toMatch(/^rebase in progress; onto [0-9a-f]{7}\nYou are currently/)
    gitIn(place, 'rebase', '--abort')
    const edit = "sequence.editor=sed -i -e '1s/pick/edit/' -e '$aexec true' -e '$a# comment'"
    gitIn(place, '-c', edit, 'rebase', '-q', '-i', 'HEAD~4')
    appendFileSync(path.join(place, '.git/rebase-merge/git-rebase-todo'), '\nbreak\n')
    expect(compare(place)).toContain('You are currently editing a commit while rebasing branch')
    gitIn(place, 'reset', '-q', 'HEAD^')
    expect(compare(place)).toContain('You are currently splitting a commit while rebasing branch')
    gitIn(place, 'reset', '-q', '--hard')
    gitIn(place, 'rebase', '--abort')
  })

  test('patches and a bisection', () => {
    const patch = gitIn(place, 'format-patch', '-1', '--stdout', 'topic~1')
    writeFileSync(path.join(folder, 'patch'), patch)
    start(place, 'am', '-q', path.join(folder, 'patch'))
    expect(compare(place)).toContain('fix conflicts and then run "git am --continue"')
    writeFileSync(path.join(place, '.git/rebase-apply/patch'), '')
    expect(compare(place)).toContain('The current patch is empty.\n  (use "git am --skip"')
    gitIn(place, 'am', '--abort')
    gitIn(place, 'bisect', 'start', 'HEAD', 'HEAD~3')
    expect(compare(place)).toContain("You are currently bisecting, started from branch 'main'.\n")
    gitIn(place, 'bisect', 'reset')
  })

  test('the stash', () => {
    expect(compare(place, '--show-stash')).not.toContain('stash')
    for (const count of ['1 entry', '2 entries']) {
      write(place, 'f', `${count}\n`)
      gitIn(place, 'stash', '-q')
      expect(compare(place, '--show-stash')).toContain(`Your stash currently has ${count}\n`)
    }
    expect(compare(place, '-c', 'status.showStash=true', 'status')).toContain('2 entries')
    expect(compare(place)).not.toContain('stash')
  })
})

test('a sparse checkout', () => {
  const place = madeWorktree(path.join(folder, 'sparse'))
  gitIn(place, 'sparse-checkout', 'set', 'b')
  expect(compare(place)).toMatch(/You are in a sparse checkout with \d+% of tracked files present/)
  write(place, 'many/7', 'there\n')
  expect(compare(place)).toContain('\tmodified:   many/7\n')
  rmSync(path.join(place, 'many'), { recursive: true })
  gitIn(place, 'sparse-checkout', 'set', '--sparse-index', 'b')
  expect(compare(place)).toContain('You are in a sparse checkout.\n')
  write(place, 'many/8', 'there\n')
  expect(compare(place)).toMatch(/You are in a sparse checkout with \d+% of tracked files present/)
})

test('paths, hints and colors are as the configuration says', () => {
  const place = conflicted(madeWorktree(path.join(folder, 'configured')))
  write(place, 'é ü.txt', 'changed\n')
  write(place, 'new file', '')
  write(place, 'b/d/e.txt', 'changed\n')
  gitIn(place, 'add', 'b')
  rmSync(path.join(place, 'run.sh'))
  const settings = [
    ...['core.quotePath=false', 'status.relativePaths=false', 'advice.statusHints=false'],
    ...['status.displayCommentPrefix=true', 'color.status=always', 'status.short=true'],
    ...['status.showUntrackedFiles=no', 'status.branch=true'],
  ]
  const answers = settings.map((setting) => compare(path.join(place, 'b'), '-c', setting, 'status'))
  expect(new Set([compare(path.join(place, 'b')), ...answers]).size).toBe(settings.length)
  const colors = ['-c', 'color.status=always', '-c', 'color.status.header=bold', 'status']
  for (const args of [[], ['-sb'], ['--ignored'], ['--porcelain']]) {
    compare(place, ...colors, ...args)
    compare(place, '-c', 'status.displayCommentPrefix=true', '-c', 'core.commentChar=;', ...colors)
  }
  const branch = ['-c', 'status.short=true', '-c', 'status.branch=true', 'status']
  for (const args of [[], ['--no-branch'], ['--no-short'], ['--long'], ['-z'], ['--porcelain']]) {
    compare(place, ...branch, ...args)
  }
  expect(compare(place, '--long', '-z')).toBe('')
})

test('without commits and without changes', () => {
  const place = repository('empty')
  expect(compare(place)).toContain('\n\nNo commits yet\n\nnothing to commit (create/copy files')
  write(place, 'a', 'a\n')
  expect(compare(place)).toContain('nothing added to commit but untracked files present (use')
  expect(compare(place, '-uno')).toContain('nothing to commit (create/copy')
  gitIn(place, 'add', 'a')
  expect(compare(place)).toContain('git rm --cached <file>..." to unstage')
  expect(compare(place, '-uno')).toContain('Untracked files not listed (use -u option')
  gitIn(place, 'commit', '-q', '-m', 'one')
  expect(compare(place, '-uno')).toContain('nothing to commit (use -u to show untracked files)')
})

test('what is said of submodules', () => {
  const place = repository('modules')
  for (const name of ['untracked', 'modified', 'moved', 'skipped']) {
    gitIn(place, 'init', '-q', name)
    commit(path.join(place, name), 'file', 'x\n')
    gitIn(place, 'add', name)
  }
  gitIn(place, 'commit', '-q', '-m', 'modules')
  write(place, 'untracked/other', 'y\n')
  write(place, 'modified/file', 'y\n')
  for (const name of ['moved', 'skipped']) commit(path.join(place, name), 'file', 'z\n')
  const text = compare(place)
  expect(text).toContain('(commit or discard the untracked or modified content in submodules)\n')
  expect(text).toContain('\tmodified:   modified (modified content)\n')
  expect(text).toContain('\tmodified:   untracked (untracked content)\n')
  expect(text).toContain('\tmodified:   skipped (new commits)\n')
  gitIn(place, 'update-index', '--skip-worktree', 'skipped')
  expect(compare(place)).not.toContain('skipped')
})

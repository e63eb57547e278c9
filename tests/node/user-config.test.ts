/**
 * What the configuration of the system and of the user says of files: `status`, `check-ignore` and
 * `check-attr` print what git prints. Each test has a HOME of its own.
 */
import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-user-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = madeWorktree(path.join(folder, 'made'))
const files = ['x.home', 'x.xdg', 'x.default', 'x.system', 'x.own', 'x.other']
for (const name of files) write(place, name, '')
const attributed = ['a.txt', 'b/c.txt', 'x.home']
write(place, '.gitattributes', 'a.txt tree\n')
for (const name of ['home', 'xdg', 'default', 'system', 'own', 'other']) {
  write(folder, `ignore-${name}`, `*.${name}\n`)
  write(folder, `attributes-${name}`, `*.txt from=${name} -tree\n[attr]many ${name}\n*.home many\n`)
}

type Env = Readonly<Record<string, string>>

/** Makes a HOME with these files; returns the environment. */
function home(name: string, contents: Readonly<Record<string, string>>, env: Env = {}): Env {
  const top = path.join(folder, name)
  mkdirSync(top)
  for (const [file, text] of Object.entries(contents)) write(top, file, text)
  return { HOME: top, XDG_CONFIG_HOME: '', GIT_CONFIG_NOSYSTEM: '1', ...env }
}

function compare(env: Env, cwd = place): void {
  compareWithGit(cwd, ['check-ignore', '-v', '-n', ...files], { env })
  const options = { env, messages: () => '' }
  compareWithGit(cwd, ['check-attr', '--all', ...attributed], options)
  compareWithGit(cwd, ['check-attr', 'from', 'tree', 'many', '--', ...attributed], options)
  const status = ['status', '--porcelain=v2', '-uall', '--ignored', '--ignore-submodules=dirty']
  compareWithGit(cwd, status, { env })
}

/** The variables that name the files of a name. */
const naming = (name: string, from = `${folder}/`) =>
  `[core]\n\texcludesFile = ${from}ignore-${name}\n\tattributesFile = ${from}attributes-${name}\n`

describe('the files of ignored paths and of attributes are', () => {
  test('those of ~/.config/git by default', () => {
    const ignore = { '.config/git/ignore': '*.default\n' }
    const attributes = { '.config/git/attributes': '*.txt from=default -tree\n' }
    compare(home('defaults', { ...ignore, ...attributes }))
    compare(home('defaults-elsewhere', { 'else/git/ignore': '*.xdg\n' }))
    const env = home('xdg', { 'else/git/ignore': '*.xdg\n', '.config/git/ignore': '*.default\n' })
    compare({ ...env, XDG_CONFIG_HOME: path.join(folder, 'xdg', 'else') })
  })

  test('those that ~/.gitconfig names, before ~/.config/git/config', () => {
    const [own, xdg] = [naming('home'), naming('xdg')]
    compare(home('gitconfig', { '.gitconfig': own, '.config/git/config': xdg }))
    compare(home('config', { '.config/git/config': xdg }))
    const ignore = { ignore: '*.home\n', attributes: '*.txt home\n' }
    const text = '[core]\nexcludesFile = ~/ignore\nattributesFile = ~/attributes\n'
    compare(home('tilde', { '.gitconfig': text, ...ignore }))
  })

  test('those that included files name', () => {
    const included = { '.gitconfig': '[include]\npath = ~/more\n', more: naming('home') }
    compare(home('included', included))
    const condition = `[includeIf "gitdir:${place}/"]\npath = more\n`
    compare(home('conditional', { '.gitconfig': condition, more: naming('home') }))
    gitIn(place, 'config', 'include.path', path.join(folder, 'included', 'more'))
    compare(home('own-include', { '.gitconfig': naming('other') }))
    gitIn(place, 'config', '--unset', 'include.path')
  })

  test('those that variables of the environment lead to', () => {
    const env = home('environment', { '.gitconfig': naming('home') })
    write(folder, 'global', naming('other'))
    write(folder, 'system', naming('system'))
    compare({ ...env, GIT_CONFIG_GLOBAL: path.join(folder, 'global') })
    compare({ ...env, GIT_CONFIG_GLOBAL: path.join(folder, 'missing') })
    const system = { GIT_CONFIG_SYSTEM: path.join(folder, 'system') }
    compare({ ...env, ...system, GIT_CONFIG_NOSYSTEM: 'false' })
    for (const no of ['false', '0', 'no', '1', 'yes']) {
      compare({ ...env, ...system, GIT_CONFIG_NOSYSTEM: no, GIT_CONFIG_GLOBAL: '/dev/null' })
    }
  })

  test("those of the repository's own config, which takes precedence", () => {
    const env = home('overridden', { '.gitconfig': naming('home') })
    for (const value of [path.join(folder, 'ignore-own'), '../ignore-own', '']) {
      gitIn(place, 'config', 'core.excludesFile', value)
      gitIn(place, 'config', 'core.attributesFile', value.replace('ignore', 'attributes'))
      compare(env)
    }
    for (const name of ['excludesFile', 'attributesFile']) {
      gitIn(place, 'config', '--unset', `core.${name}`)
    }
  })
})

test('line ends are converted as core.autocrlf of the user says', () => {
  const lines = madeWorktree(path.join(folder, 'lines'))
  write(lines, 'a.txt', 'a.txt\r\n')
  gitIn(lines, '-c', 'core.autocrlf=true', 'add', 'a.txt')
  utimesSync(path.join(lines, 'a.txt'), 1, 1)
  const args = ['status', '--porcelain', '--ignore-submodules=dirty']
  for (const value of ['true', 'input', 'false']) {
    const contents = { '.gitconfig': `[core]\nautocrlf = ${value}\n` }
    // Otherwise git would write into the index that the file is unchanged.
    const env = home(`lines-${value}`, contents, { GIT_OPTIONAL_LOCKS: '0' })
    compareWithGit(lines, args, { env })
    const { stdout } = run(lines, args, { env })
    expect(`${stdout}`.includes(' M a.txt')).toBe(value === 'false')
  }
})

test('filters of the user count, also in a submodule', () => {
  const outer = madeWorktree(path.join(folder, 'filtered'))
  const clean = 'tr a-z A-Z'
  const env = home('filters', {
    '.gitconfig': `[filter "upper"]\nclean = ${clean}\n[core]\nexcludesFile = ${folder}/ignore-own\n`,
  })
  gitIn(outer, 'init', '-q', 'inner')
  write(outer, 'inner/a', 'a\n')
  gitIn(path.join(outer, 'inner'), 'add', '.')
  gitIn(path.join(outer, 'inner'), 'commit', '-q', '-m', 'inner')
  gitIn(outer, 'add', 'inner')
  write(outer, 'inner/x.own', '')
  compareWithGit(outer, ['status', '--porcelain=v2'], { env })
  write(outer, '.gitattributes', 'a.txt filter=upper\n')
  utimesSync(path.join(outer, 'a.txt'), 1, 1)
  // No program is run for it.
  const messageIn = (env: Env) => run(outer, ['status', '--porcelain'], { env }).stderr
  expect(messageIn(env)).toContain('a filter of contents that are added is a program')
  expect(messageIn({ GIT_CONFIG_GLOBAL: '/dev/null' })).toBe('')
})

test("calls of the API read the repository's own config alone, and absolute paths there", () => {
  const own = madeWorktree(path.join(folder, 'own'))
  const of = () => {
    using repo = openSync(own)
    return [...(repo.checkAttr(['a.txt'])[0] ?? [])]
  }
  expect(of()).toEqual([])
  gitIn(own, 'config', 'core.attributesFile', path.join(folder, 'attributes-own'))
  expect(of()).toEqual([
    ['from', 'own'],
    ['tree', false],
  ])
  for (const name of ['core.attributesFile', 'core.excludesFile']) {
    gitIn(own, 'config', name, '~/file')
    using repo = openSync(own)
    const call = () => (name === 'core.excludesFile' ? repo.checkIgnore(['new']) : of())
    expect(call).toThrow(expect.objectContaining({ code: 'UNSUPPORTED', subject: '~/file' }))
  }
})

test('what is malformed is refused in the words of git', () => {
  const args = ['check-ignore', 'x.home']
  compareWithGit(place, args, { env: home('malformed', { '.gitconfig': '[core\n' }) })
  const unknown = '[core]\nexcludesFile = ~no-such-user/x\n'
  compareWithGit(place, args, {
    env: home('no-user', { '.gitconfig': unknown }),
    messages: lastLine,
  })
})

function lastLine(text: string): string | undefined {
  return text
    .trimEnd()
    .split('\n')
    .find((line) => line.startsWith('fatal: failed'))
}

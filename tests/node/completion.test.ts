/** `packlens completion`: scripts by which shells complete command lines. Bash runs here. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DESCRIPTIONS } from '../../dist/node/cli/help/all.js'
import { longNames } from '../../dist/node/cli/help/description.js'
import { PROCESS_TIMEOUT } from '../support/timeouts.ts'
import { cli, environment, run, runProcess } from './cli-support.js'
import { looseCommit, looseTree, makeRepository } from './loose-objects.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-completion-'))
const repository = path.join(folder, 'repository')
const bin = path.join(folder, 'bin')
const scriptOf = (shell: string) => runProcess('.', ['completion', shell]).stdout.toString()

/** A name that git allows, with a command in it. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
const HOSTILE = '$(touch${IFS}found)`touch${IFS}found`'

beforeAll(() => {
  mkdirSync(repository)
  makeRepository(repository)
  const commit = looseCommit(repository, { tree: looseTree(repository, []), message: 'one\n' })
  const names = [
    'heads/main',
    'heads/topic/one',
    `heads/x${HOSTILE}`,
    'remotes/origin/topic',
    'tags/v1.0',
  ]
  const lines = names.map((name) => `${commit} refs/${name}\n`)
  writeFileSync(
    path.join(repository, 'packed-refs'),
    `# pack-refs with: sorted \n${lines.join('')}`,
  )
  mkdirSync(bin)
  const command = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`
  writeFileSync(path.join(bin, 'packlens'), command, { mode: 0o755 })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** Returns the words that bash offers for the last word of each line. */
function offered(cwd: string, lines: readonly (readonly string[])[]): string[][] {
  const asked = lines.map((words) => {
    const all = words.map(quoted).join(' ')
    return `COMP_WORDS=(${all}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _packlens packlens
      for word in "\${COMPREPLY[@]}"; do echo "$word"; done; echo END`
  })
  const script = `eval "$(packlens completion bash)"\n${asked.join('\n')}\n`
  const { stdout, stderr, error } = spawnSync('bash', ['--norc', '--noprofile'], {
    input: script,
    cwd,
    env: { ...environment, PATH: `${bin}:${process.env.PATH}` },
    timeout: PROCESS_TIMEOUT,
  })
  expect([error, stderr?.toString()]).toEqual([undefined, ''])
  const parts = stdout.toString().split(/^END\n/m)
  return parts.slice(0, -1).map((text) => text.split('\n').slice(0, -1))
}

describe('bash', () => {
  test('completes commands, options, subcommands and refs', () => {
    const questions: [line: string, answer: string[]][] = [
      ['ca', ['cat-file']],
      ['--git', ['--git-dir=']],
      ['log --onel', ['--oneline']],
      ['log --format', ['--format=']],
      ['log --format = x', []],
      ['log to', ['topic/one']],
      ['log v1.0..to', ['v1.0..topic/one']],
      ['log v1.0...to', ['v1.0...topic/one']],
      ['log ^m', ['^main']],
      ['log orig', ['origin/topic']],
      ['log H', ['HEAD']],
      ['show-ref refs/t', ['refs/tags/v1.0']],
      ['bundle v', ['verify']],
      ['bundle verify v', []],
      ['completion ', ['bash', 'zsh', 'fish']],
      ['help ls', ['ls-files', 'ls-tree']],
      ['-C ../repository log v', ['v1.0']],
      ['--git-dir = . log v', ['v1.0']],
      ['-C ../rep', []],
      ['log -- m', []],
      ['verify-pack ', []],
    ]
    const answers = offered(
      repository,
      questions.map(([line]) => ['packlens', ...line.split(' ')]),
    )
    expect(answers).toEqual(questions.map(([, answer]) => answer))
  })

  test('completes every option of every command', () => {
    const names = Object.keys(DESCRIPTIONS)
    const answers = offered(
      repository,
      names.map((name) => ['packlens', name, '--']),
    )
    const plain = answers.map((words) => words.map((word) => word.replace(/=$/, '')).sort())
    const known = names.map((name) => [
      ...new Set([
        ...longNames(DESCRIPTIONS[name] ?? { about: '', usages: [], groups: [] }),
        '--help',
      ]),
    ])
    expect(plain.map((words) => [...new Set(words)])).toEqual(known.map((words) => words.sort()))
  })

  test('never runs what the name of a ref says', () => {
    const [names, full] = offered(repository, [
      ['packlens', 'log', 'x'],
      ['packlens', 'show-ref', 'refs/heads/x'],
    ])
    expect(existsSync(path.join(repository, 'found'))).toBe(false)
    // What is typed for it is quoted: bash reads the name again.
    for (const [words, name] of [
      [names, `x${HOSTILE}`],
      [full, `refs/heads/x${HOSTILE}`],
    ] as const) {
      expect(words?.length).toBe(1)
      const { stdout } = spawnSync('bash', ['-c', `printf %s ${words?.[0]}`], { cwd: repository })
      expect(stdout.toString()).toBe(name)
    }
    expect(existsSync(path.join(repository, 'found'))).toBe(false)
  })

  test('offers no refs where there is no repository', () => {
    expect(offered('/', [['packlens', 'log', 'm']])).toEqual([[]])
  })
})

/** Zsh and fish are on few machines: their scripts are read as texts. */
describe.each(['zsh', 'fish'])('%s', (shell) => {
  const script = scriptOf(shell)

  test('has every command and every option', () => {
    for (const [name, description] of Object.entries(DESCRIPTIONS)) {
      const own =
        shell === 'zsh'
          ? (script.split(`\n    ${name})\n`)[1]?.split('\n      ;;\n')[0] ?? '')
          : script
              .split('\n')
              .filter((line) => line.includes(`'__packlens_is ${name}'`))
              .join('\n')
      for (const long of longNames(description)) {
        const shown = shell === 'zsh' ? `'${long}:` : ` -l ${long.slice(2)} `
        expect([name, long, own.includes(shown)]).toEqual([name, long, true])
      }
      expect(script).toContain(description.about.replaceAll("'", shell === 'zsh' ? "'\\''" : "\\'"))
    }
  })

  test('ends every quoted word', () => {
    // A quote within a line would be open, or close one too many.
    const escaped = shell === 'zsh' ? /'\\''/g : /\\'/g
    const odd = script
      .split('\n')
      .filter((line) => !line.trimStart().startsWith('#'))
      .filter((line) => (line.replace(escaped, '').match(/'/g)?.length ?? 0) % 2 === 1)
    expect(odd).toEqual([])
    expect(script.length).toBeGreaterThan(20_000)
  })
})

test('of another shell there is none', () => {
  expect(runProcess('.', ['completion', 'tcsh'])).toMatchObject({
    exit: 128,
    stderr: "fatal: packlens has scripts for bash, zsh and fish, not 'tcsh'\n",
  })
  expect(run('/', ['completion'])).toMatchObject({ exit: 129 })
  expect(run('/', ['completion', 'bash', 'zsh']).stderr).toMatch(/^usage: packlens completion /)
})

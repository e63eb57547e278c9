/** Compares the command line with git, which runs beside it. */
import { spawnSync } from 'node:child_process'
import { expect } from 'vitest'
import { environment, run } from './cli-support.ts'

interface Options {
  readonly stdin?: string
  /** By default there is no configuration of the user. */
  readonly env?: Readonly<Record<string, string>>
  /** What counts of the messages on standard error. */
  readonly messages?: (text: string, exit: number | null) => string | undefined
}

/** Compares the exit code, the output and the messages of a command with git's. */
export function compareWithGit(
  cwd: string,
  args: readonly string[],
  { stdin = '', env = { GIT_CONFIG_GLOBAL: '/dev/null' }, messages = (text) => text }: Options = {},
): void {
  const input = Buffer.from(stdin)
  const options = { cwd, input, env: { ...environment, ...env } }
  const { status, stdout, stderr } = spawnSync('git', args, options)
  const own = run(cwd, args, { stdin: input, env })
  const answer = [own.exit, `${own.stdout}`, messages(own.stderr, status)]
  const expected = [status, `${stdout}`, messages(`${stderr}`, status)]
  expect(answer, `${cwd}: git ${args.join(' ')}`).toEqual(expected)
}

/** The command line: parses the global options, runs a command and reports its error. */
import { readFileSync, statSync } from 'node:fs'
import * as path from 'node:path'
import { isPacklensError } from '../../base/errors.js'
import type { MaybePromise } from '../../base/maybe.js'
import { isPromise, whenReady } from '../../base/maybe.js'
import { Exit, failed, fatal, Help, Misused } from './base/exit.js'
import { ClosedPipe, type Io } from './base/io.js'
import { publishedFile } from './base/published.js'
import { safeMessage } from './base/terminal.js'
import { catFile } from './commands/cat-file.js'
import { lsTree } from './commands/ls-tree.js'
import { revParse } from './commands/rev-parse.js'
import type { Commands, ShortName } from './commands.js'
import type { Run } from './opening/command.js'
import { Command } from './opening/command.js'
import { commandSettings, withSetting, withSettingOf } from './opening/command-config.js'
import { GLOBAL_MAGIC } from './repository/pathspec.js'

/** What is loaded when it is needed: most runs print no help, and short commands load fast. */
export interface Chunks {
  /** The commands that mostly run longer than they take to load. */
  readonly commands: Commands
  readonly help: () => MaybePromise<typeof import('./help/help.js')>
  /** For output to a terminal. */
  readonly pager: () => MaybePromise<typeof import('./pager.js')>
}

/** The short commands, which are loaded with this module. */
const SHORT: Readonly<Record<ShortName, Run>> = {
  'cat-file': catFile,
  'ls-tree': lsTree,
  'rev-parse': revParse,
}

/** The exit code of a call without a command, or with one that does not exist. */
const NO_COMMAND = 1

/** The exit code for a closed pipe: the signal that ends git's processes, as shells report it. */
const CODE_OF_SIGPIPE = 128 + 13

/** Runs the command line and returns its exit code. */
export function main(args: readonly string[], given: Io, chunks: Chunks): MaybePromise<number> {
  const safe = { ...given, writeError: (text: string) => given.writeError(safeMessage(text)) }
  const ended = (error: unknown) => codeOf(error, undefined, safe, chunks)
  return recovering(() => {
    const { world, gitDir, paginates, rest } = globalOptions(args, safe)
    const [name, ...own] = rest
    if (name === '--version' || name === '-v') {
      return print(world, `packlens version ${version()}\n`)
    }
    const asked = asksHelp(name, own)
    if (asked !== null) return help(asked, world, chunks)
    return whenReady(commandNamed(name, chunks), (run) => {
      const mayPage = world.toTerminal && (paginates ?? !isKey(SHORT, name ?? ''))
      if (!mayPage) return runCommand(run, own, { name, io: world, gitDir }, chunks)
      return whenReady(chunks.pager(), ({ paged }) => {
        const shown = paged(world, name ?? '', paginates)
        const io = shown?.io ?? world
        const code = runCommand(run, own, { name, io, gitDir }, chunks)
        return shown ? whenReady(code, (code) => shown.end().then(() => code)) : code
      })
    })
  }, ended)
}

/** Runs a command, and reports its errors where its output goes. */
function runCommand(
  run: Run,
  args: readonly string[],
  { name, io, gitDir }: { name: string | undefined; io: Io; gitDir: string | undefined },
  chunks: Chunks,
): MaybePromise<number> {
  const command = new Command(io, gitDir)
  // Closing takes a hundredth of the time of a short command; the end of the process does it.
  const close = () => io.endsProcess || command.close()
  return recovering(
    () => run(command, args),
    (error) => codeOf(error, name, io, chunks),
    close,
  )
}

/** Returns what `job` does, or if it fails what `recover` does; `close` runs in between. */
function recovering(
  job: () => MaybePromise<number>,
  recover: (error: unknown) => MaybePromise<number>,
  close: () => void = () => {},
): MaybePromise<number> {
  let code: MaybePromise<number>
  try {
    code = job()
  } catch (error) {
    close()
    return recover(error)
  }
  if (isPromise(code)) return code.finally(close).catch(recover)
  close()
  return code
}

function help(asked: string, io: Io, chunks: Chunks): MaybePromise<number> {
  return whenReady(chunks.help(), ({ helpOf, noCommand }) => {
    const text = helpOf(asked)
    if (text === null) throw new Exit(NO_COMMAND, noCommand(asked))
    return print(io, text)
  })
}

/** Returns the command whose help is asked for, '' for that of all; `null` if it is not. */
function asksHelp(name: string | undefined, args: readonly string[]): string | null {
  if (name === undefined) return null
  if (name === '--help' || name === 'help' || name === '-h') return args[0] ?? ''
  return args[0] === '--help' ? name : null
}

function commandNamed(name: string | undefined, chunks: Chunks): MaybePromise<Run> {
  if (name === undefined) {
    return whenReady(chunks.help(), ({ overview }) => {
      throw new Exit(NO_COMMAND, overview())
    })
  }
  if (isKey(SHORT, name)) return SHORT[name]
  if (isKey(chunks.commands, name)) return chunks.commands[name]()
  return whenReady(chunks.help(), ({ noCommand }) => {
    throw new Exit(NO_COMMAND, noCommand(name))
  })
}

function isKey<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name)
}

/** Reports an error and returns its exit code. */
function codeOf(
  error: unknown,
  name: string | undefined,
  io: Io,
  chunks: Chunks,
): MaybePromise<number> {
  if (error instanceof ClosedPipe) return CODE_OF_SIGPIPE
  if (error instanceof Help) {
    return whenReady(chunks.help(), ({ usageOf }) => print(io, usageOf(name)) || 129)
  }
  const exit = isPacklensError(error) ? failed(error) : error
  if (!(exit instanceof Exit)) throw error
  if (exit.unknown === undefined && !(exit instanceof Misused)) return report(exit, '', io)
  return whenReady(chunks.help(), ({ suggestion, usageOf }) => {
    const near = exit.unknown === undefined ? '' : suggestion(name, exit.unknown)
    return report(exit, exit instanceof Misused ? near + usageOf(name) : near, io)
  })
}

function report({ code, message }: Exit, more: string, io: Io): number {
  if (message !== '' || more !== '') io.writeError(message + more)
  return code
}

/** Prints help; returns the exit code. */
function print(io: Io, text: string): number {
  try {
    io.write(Buffer.from(text))
    return 0
  } catch (error) {
    if (error instanceof ClosedPipe) return CODE_OF_SIGPIPE
    throw error
  }
}

interface GlobalOptions {
  readonly world: Io
  readonly gitDir: string | undefined
  /** Whether output goes to a pager, if an option says so. */
  readonly paginates: boolean | undefined
  /** The command and its arguments. */
  readonly rest: string[]
}

/** Parses the options before the command, which say where it runs and what it reads. */
function globalOptions(args: readonly string[], io: Io): GlobalOptions {
  let { cwd, env } = io
  let paginates: boolean | undefined
  let gitDir = io.env.GIT_DIR || undefined
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    const value = (what: string): string => {
      const next = args[++at]
      if (next === undefined) {
        const missing = what === '--attr-source' ? 'attribute source' : 'directory'
        throw new Misused(`no ${missing} given for '${what}' option\n`)
      }
      return next
    }
    if (arg === '-C') cwd = enter(cwd, value('-C'))
    else if (arg === '--git-dir') gitDir = value('--git-dir')
    else if (arg.startsWith('--git-dir=')) gitDir = arg.slice('--git-dir='.length)
    else if (arg === '--attr-source') env = { ...env, GIT_ATTR_SOURCE: value('--attr-source') }
    else if (arg.startsWith('--attr-source=')) {
      env = { ...env, GIT_ATTR_SOURCE: arg.slice('--attr-source='.length) }
    } else if (arg === '-c') env = withSetting(env, args[++at])
    else if (arg === '--config-env') env = withSettingOf(env, args[++at])
    else if (arg.startsWith('--config-env=')) {
      env = withSettingOf(env, arg.slice('--config-env='.length))
    } else if (arg === '--no-replace-objects') env = { ...env, GIT_NO_REPLACE_OBJECTS: '1' }
    else if (arg === '-p' || arg === '--paginate') paginates = true
    else if (arg === '-P' || arg === '--no-pager') paginates = false
    else if (isGlobalMagic(arg)) env = { ...env, [GLOBAL_MAGIC[arg]]: '1' }
    else if (!arg.startsWith('-') || ['--version', '-v', '--help', '-h'].includes(arg)) break
    else throw new Misused(`unknown option: ${arg}\n`, arg)
  }
  if (env.GIT_CONFIG_PARAMETERS !== io.env.GIT_CONFIG_PARAMETERS) commandSettings({ env })
  const world: Io = cwd === io.cwd && env === io.env ? io : { ...io, cwd, env }
  return { world, gitDir, paginates, rest: args.slice(at) }
}

function isGlobalMagic(arg: string): arg is keyof typeof GLOBAL_MAGIC {
  return Object.hasOwn(GLOBAL_MAGIC, arg)
}

function enter(cwd: string, given: string): string {
  if (given === '') return cwd
  const folder = path.resolve(cwd, given)
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return folder
  const why = stat ? 'Not a directory' : 'No such file or directory'
  throw fatal(`cannot change to '${given}': ${why}`)
}

function version(): string {
  const file = publishedFile('../package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

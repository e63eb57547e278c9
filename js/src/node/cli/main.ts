/** The command line: parses the global options, runs a command and reports its error. */
import { readFileSync, statSync } from 'node:fs'
import * as path from 'node:path'
import { isPacklensError } from '../../base/errors.js'
import type { MaybePromise } from '../../base/maybe.js'
import { isPromise, whenReady } from '../../base/maybe.js'
import { catFile } from './cat-file.js'
import type { Run } from './command.js'
import { Command } from './command.js'
import type { Commands } from './commands.js'
import { Exit, failed, fatal } from './exit.js'
import { ClosedPipe, type Io } from './io.js'
import { lsTree } from './ls-tree.js'
import { Help } from './options.js'
import { GLOBAL_MAGIC } from './pathspec.js'
import { revParse } from './rev-parse.js'
import { didYouMean, nearest } from './suggest.js'
import { safeMessage } from './terminal.js'

/** Loads the other commands, which mostly run longer than they take to load. */
export type Others = () => MaybePromise<Commands>

/** The short commands, which are loaded with this module. */
const SHORT = { 'cat-file': catFile, 'ls-tree': lsTree, 'rev-parse': revParse }

const ABOUT: Readonly<Record<keyof Commands | keyof typeof SHORT, string>> = {
  archive: 'make a tar or zip file of the files of a tree',
  blame: 'show which commits last changed the lines of a file',
  bundle: 'show the refs of a bundle, or verify it',
  'cat-file': 'print objects, or their types and sizes; also in batches',
  'check-ref-format': 'check whether a refname is well formed',
  config: 'print variables of the configuration',
  'count-objects': 'count objects and the disk space they take',
  describe: 'name commits after the most recent tags that they reach',
  diff: 'compare two commits',
  'diff-tree': 'compare two trees, or a commit with its parent',
  'for-each-ref': 'list refs in any order and format',
  fsck: 'check the objects and their connectivity',
  grep: 'print the lines of files that match a pattern',
  'index-pack': 'make the index of a pack',
  'last-modified': 'show which commits last changed the entries of directories',
  log: 'show commits and what they changed, the newest first',
  'ls-files': 'list the paths of the index',
  'ls-tree': 'list the entries of a tree',
  'merge-base': 'find the common ancestors of commits',
  'name-rev': 'name commits after refs that reach them',
  reflog: 'show how refs changed',
  'rev-list': 'list commits, the newest first',
  'rev-parse': 'print the ids that revisions stand for',
  shortlog: 'list commits by their authors',
  show: 'show commits with their patches, tags, trees and blobs',
  'show-index': 'list the entries of a pack index',
  'show-ref': 'list refs and their object ids',
  'symbolic-ref': 'print the target of a symbolic ref',
  'verify-pack': 'check packs against their indexes',
}

const USAGE = `usage: packlens [-C <path>] [--git-dir=<path>] [--no-replace-objects]
                [--literal-pathspecs] [--glob-pathspecs] [--noglob-pathspecs]
                [--icase-pathspecs] [--attr-source=<tree-ish>] [--version] [--help]
                <command> [<args>]
`

const GLOBAL = [
  '--git-dir',
  '--attr-source',
  '--no-replace-objects',
  ...Object.keys(GLOBAL_MAGIC),
  '--version',
  '--help',
]

const HELP = `${USAGE}
Reads git repositories. The commands take git's flags and print what git prints:
${Object.entries(ABOUT)
  .map(([name, about]) => `   ${name.padEnd(18)}${about}\n`)
  .join('')}
'packlens <command> --help' lists the flags of a command. PACKLENS_MEMORY limits the
memory, such as 1g; the default is 512m. PACKLENS_VERIFY=crc compares the checksums of
packed entries instead of hashing their objects; none skips both checks.
`

/** The exit code for a closed pipe: the signal that ends git's processes, as shells report it. */
const CODE_OF_SIGPIPE = 128 + 13

/** Runs the command line and returns its exit code. */
export function main(args: readonly string[], given: Io, others: Others): MaybePromise<number> {
  const io = { ...given, writeError: (text: string) => given.writeError(safeMessage(text)) }
  let command: Command | undefined
  let asksHelp = false
  // Closing takes a hundredth of the time of a short command; the end of the process does it.
  const close = () => io.endsProcess || command?.close()
  const ended = (error: unknown) => codeOf(error, io, asksHelp)
  try {
    const begun = begin(args, io, others)
    if (typeof begun === 'number') return begun
    command = begun.command
    asksHelp = begun.asksHelp
    const code = begun.run(command, begun.args)
    if (isPromise(code)) return code.catch(ended).finally(close)
    close()
    return code
  } catch (error) {
    close()
    return ended(error)
  }
}

/** Returns the command to run, or the exit code if nothing is left to run. */
function begin(args: readonly string[], io: Io, others: Others) {
  const { world, gitDir, rest } = globalOptions(args, io)
  const [name, ...own] = rest
  if (name === undefined) throw new Exit(1, HELP)
  if (name === '--version' || name === '-v') return print(io, `packlens version ${version()}\n`)
  if (name === '--help' || name === 'help' || name === '-h') return print(io, HELP)
  if (!isCommand(name)) {
    const meant = didYouMean(nearest(name, Object.keys(ABOUT)))
    const what = `packlens: '${name}' is not a packlens command. See 'packlens --help'.\n`
    throw new Exit(1, `${what}${meant}`)
  }
  const run: Run = isShort(name)
    ? SHORT[name]
    : (...asked) => whenReady(others(), (commands) => commands[name](...asked))
  const asksHelp = own[0] === '--help'
  return { command: new Command(world, gitDir), run, args: asksHelp ? ['-h'] : own, asksHelp }
}

function isShort(name: string): name is keyof typeof SHORT {
  return Object.hasOwn(SHORT, name)
}

function isCommand(name: string): name is keyof typeof ABOUT {
  return Object.hasOwn(ABOUT, name)
}

/** Reports an error and returns its exit code. */
function codeOf(error: unknown, io: Io, asksHelp: boolean): number {
  if (error instanceof ClosedPipe) return CODE_OF_SIGPIPE
  try {
    if (error instanceof Help) {
      print(io, error.message)
      return asksHelp ? 0 : 129
    }
    const exit = isPacklensError(error) ? failed(error) : error
    if (!(exit instanceof Exit)) throw error
    if (exit.message !== '') io.writeError(exit.message)
    return exit.code
  } catch (later) {
    if (later instanceof ClosedPipe) return CODE_OF_SIGPIPE
    throw later
  }
}

function print(io: Io, text: string): number {
  io.write(Buffer.from(text))
  return 0
}

/** Parses the options before the command, which say where it runs and what it reads. */
function globalOptions(
  args: readonly string[],
  io: Io,
): { world: Io; gitDir: string | undefined; rest: string[] } {
  let { cwd, env } = io
  let gitDir = io.env.GIT_DIR || undefined
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    const value = (what: string): string => {
      const next = args[++at]
      if (next === undefined) {
        const missing = what === '--attr-source' ? 'attribute source' : 'directory'
        throw new Exit(129, `no ${missing} given for '${what}' option\n${USAGE}`)
      }
      return next
    }
    if (arg === '-C') cwd = enter(cwd, value('-C'))
    else if (arg === '--git-dir') gitDir = value('--git-dir')
    else if (arg.startsWith('--git-dir=')) gitDir = arg.slice('--git-dir='.length)
    else if (arg === '--attr-source') env = { ...env, GIT_ATTR_SOURCE: value('--attr-source') }
    else if (arg.startsWith('--attr-source=')) {
      env = { ...env, GIT_ATTR_SOURCE: arg.slice('--attr-source='.length) }
    } else if (arg === '--no-replace-objects') env = { ...env, GIT_NO_REPLACE_OBJECTS: '1' }
    else if (isGlobalMagic(arg)) env = { ...env, [GLOBAL_MAGIC[arg]]: '1' }
    else if (!arg.startsWith('-') || ['--version', '-v', '--help', '-h'].includes(arg)) break
    else {
      const meant = didYouMean(nearest(arg.replace(/=.*/s, ''), GLOBAL))
      throw new Exit(129, `unknown option: ${arg}\n${meant}${USAGE}`)
    }
  }
  const world: Io = cwd === io.cwd && env === io.env ? io : { ...io, cwd, env }
  return { world, gitDir, rest: args.slice(at) }
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
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

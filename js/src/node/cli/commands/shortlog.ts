/** `shortlog`: lists commits by their authors, or by other groups. */

import { type Option, takeOption } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { Exit, fatal, Help, Misused } from '../base/exit.js'
import { Lines } from '../base/output.js'
import { colorOption } from '../color/color-args.js'
import { CommitList } from '../log/commit-list.js'
import type { Command } from '../opening/command.js'
import { type Group, groupOf } from '../shortlog/shortlog-groups.js'
import { readLog } from '../shortlog/shortlog-input.js'
import { ShortlogList } from '../shortlog/shortlog-list.js'

/** What is printed, and how. */
export interface ShortlogArgs {
  numbered: boolean
  summary: boolean
  email: boolean
  /** How lines are wrapped; `null` if they are not. */
  wrap: { width: number; first: number; next: number } | null
  groups: Group[]
}

export function shortlog(command: Command, args: readonly string[]): number {
  if (args.includes('-h') || args.includes('--help')) throw new Help()
  compileQuickly()
  const opened = command.open()
  const commits = new CommitList(opened, args, { isLog: true })
  const parsed: ShortlogArgs = {
    ...{ numbered: false, summary: false, email: false, wrap: null },
    groups: [],
  }
  const options = optionsOf(parsed)
  let digits = 0
  for (let at = 0; at < args.length; at++) {
    const rest = args.slice(at)
    const [, abbrev] = /^--abbrev(?:=(\d{1,3}))?$/.exec(rest[0] ?? '') ?? []
    if (abbrev !== undefined) digits = Math.max(Number(abbrev), 4)
    if (abbrev !== undefined || rest[0] === '--abbrev') continue
    const taken = commits.revisions.take(rest) ?? takeOption(options, rest) ?? commits.take(rest)
    if (taken === null) {
      const arg = args[at] ?? ''
      throw new Misused(`error: unknown option \`${arg}'\n`, arg)
    }
    at += taken
  }
  if (commits.options.searchesReflogs) {
    const what = "the option '--grep-reflog' requires '--walk-reflogs'"
    throw fatal(`${what}\nhint: packlens shortlog does not support these`)
  }
  const { revisions } = commits
  const { fromTerminal = false } = opened.io
  if (fromTerminal && revisions.tips.length === 0 && opened.reader.find('HEAD') !== null) {
    revisions.add('HEAD')
  }
  if (commits.indentsRoots !== undefined) {
    throw fatal('packlens shortlog does not support --graph-indent')
  }
  if (commits.hasGraph) throw fatal('packlens shortlog does not support --graph')
  if (parsed.groups.length === 0) parsed.groups.push({ kind: 'author' })
  const list = new ShortlogList(opened, commits, parsed, digits || opened.settings.digits)
  if (revisions.tips.length > 0) {
    commits.each(
      (commit) => list.add(commit),
      () => undefined,
    )
  } else {
    if (fromTerminal) opened.io.writeError('(reading log message from standard input)\n')
    for (const commit of readLog(opened.io, parsed.groups)) list.addLogged(commit)
  }
  const lines = new Lines(opened.io)
  list.print(lines)
  lines.flush()
  return 0
}

function optionsOf(parsed: ShortlogArgs): Option[] {
  return [
    // As in git, nothing has colors.
    colorOption({ colorWhen: 'never' }),
    { short: 'c', long: 'committer', set: () => parsed.groups.push({ kind: 'committer' }) },
    {
      ...{ short: 'n', long: 'numbered', negatable: true },
      set: (_, negated) => (parsed.numbered = !negated),
    },
    {
      ...{ short: 's', long: 'summary', negatable: true },
      set: (_, negated) => (parsed.summary = !negated),
    },
    {
      ...{ short: 'e', long: 'email', negatable: true },
      set: (_, negated) => (parsed.email = !negated),
    },
    { short: 'w', value: 'optional', set: (value) => (parsed.wrap = wrapOf(value)) },
    {
      ...{ long: 'group', value: 'required', negatable: true },
      set: (value = '', negated) => {
        if (negated) parsed.groups = []
        else parsed.groups.push(groupOf(value))
      },
    },
  ]
}

const WRAP = { width: 76, first: 6, next: 9 }

/** Parses the value of `-w`; a width of 0 only indents. */
function wrapOf(value: string | undefined): ShortlogArgs['wrap'] {
  if (value === undefined) return WRAP
  const [all, width, first, next] = /^(\d*)(?:,(\d*)(?:,(\d*))?)?$/.exec(value) ?? []
  const number = (text: string | undefined, otherwise: number) => (text ? Number(text) : otherwise)
  const wrap = {
    width: number(width, WRAP.width),
    first: number(first, WRAP.first),
    next: number(next, WRAP.next),
  }
  const isWide = wrap.width > 0 && (wrap.first >= wrap.width || wrap.next >= wrap.width)
  if (all === undefined || isWide)
    throw new Exit(129, 'error: -w[<width>[,<indent1>[,<indent2>]]]\n')
  return wrap
}

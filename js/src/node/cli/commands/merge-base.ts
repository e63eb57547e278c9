/** `merge-base`: finds the best common ancestors of commits. */
import type { MergeBaseQuestion } from '../../../base/protocol.js'
import { type Option, parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { fatal, Misused } from '../base/exit.js'
import type { Command, Opened } from '../opening/command.js'
import { commitOf } from '../repository/commits.js'
import { forkPoint } from '../revisions/fork-point.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'

type Mode = NonNullable<MergeBaseQuestion['of']> | 'fork'

export function mergeBase(command: Command, args: readonly string[]): number {
  let all = false
  let question: Mode = 'common'
  const mode = (long: string, own: Mode): Option => ({
    long,
    mode: true,
    set: () => {
      question = own
    },
  })
  const options: Option[] = [
    { short: 'a', long: 'all', negatable: true, set: (_, negated) => (all = !negated) },
    mode('octopus', 'octopus'),
    mode('independent', 'independent'),
    mode('is-ancestor', 'ancestor'),
    mode('fork-point', 'fork'),
  ]
  const rest = parseOptions(options, args)
  const asked = question as Mode
  if (asked === 'fork') return printForkPoint(command, rest)
  if ((asked === 'common' || asked === 'ancestor') && rest.length < 2) throw new Misused()
  if (asked === 'ancestor') {
    if (all) throw fatal("options '--is-ancestor' and '--all' cannot be used together")
    if (rest.length !== 2) throw fatal('--is-ancestor takes exactly two commits')
  }
  if (asked === 'independent' && all) {
    throw fatal("options '--independent' and '--all' cannot be used together")
  }
  if (rest.length === 0) return 1
  compileQuickly()
  const opened = command.open()
  const commits = rest.map((arg) => named(opened, arg))
  const answer = opened.reader.mergeBases(commits, asked)
  if (asked === 'ancestor') return answer === '1' ? 0 : 1
  if (answer === '') return 1
  const end = all || asked === 'independent' ? answer.length : answer.indexOf('\n') + 1
  opened.io.write(toBytes(answer.slice(0, end)))
  return 0
}

function printForkPoint(command: Command, args: readonly string[]): number {
  const [ref, commit = 'HEAD', ...more] = args
  if (ref === undefined || more.length > 0) throw new Misused()
  compileQuickly()
  const opened = command.open()
  const name = bytesOfArgument(commit)
  const oid = opened.names.find(name)
  opened.names.warn(name)
  if (oid === null) throw fatal(`Not a valid object name: '${commit}'`)
  const found = forkPoint(opened, ref, commitOf(opened, oid))
  if (found === null) return 1
  opened.io.write(toBytes(`${found}\n`))
  return 0
}

function named(opened: Opened, arg: string): string {
  const commit = commitOf(opened, opened.names.require(bytesOfArgument(arg)))
  if (commit === null) throw fatal(`Not a valid commit name ${arg}`)
  return commit
}

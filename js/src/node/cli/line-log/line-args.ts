/** The option `-L` of `log`: lines of files of the commit that history begins with. */
import { rangesOf } from '../args/line-ranges.js'
import { Exit, fatal } from '../base/exit.js'
import type { NamedTip } from '../log/history-revisions.js'
import type { Opened } from '../opening/command.js'
import { linesMatching, linesOf } from '../repository/file-lines.js'
import { pathInTree } from '../repository/place.js'
import type { NamedObject } from '../revisions/revision-refs.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'
import type { FileSpans } from './line-history.js'
import { joined } from './line-spans.js'

const PLACE = String.raw`(?:\^?/(?:\\.|[^\\/])*/|[+-]?\d*)`
/** A range of lines or the name of a function, a colon and a path. */
const ARGUMENT = new RegExp(String.raw`^(\^?:(?:\\.|[^\\:])+|${PLACE}(?:,${PLACE})?):(.+)$`, 's')

/** Returns the files of a commit with the lines that arguments name, in the order of their paths. */
export function namedLines(opened: Opened, commit: string, args: readonly string[]): FileSpans[] {
  const { place, reader } = opened
  const files = new Map<string, string[]>()
  for (const arg of args) {
    const [, range, file] = ARGUMENT.exec(arg) ?? []
    if (range === undefined || file === undefined) throw malformed(arg)
    const path = pathInTree(place, place.prefix, bytesOfArgument(file), `${file}: `)
    files.set(path, [...(files.get(path) ?? []), range])
  }
  const found: FileSpans[] = []
  for (const [path, ranges] of files) {
    const shown = textOfBytes(path)
    const oid = reader.find(`${commit}:${path}`)
    const lines =
      oid && reader.read(oid, ({ type, data }) => (type === 'blob' ? linesOf(data) : null))
    if (!oid || !lines) throw fatal(`There is no path ${shown} in the commit`)
    const matching = (pattern: string) => linesMatching(opened, oid, pattern)
    const pairs = inFile(() => rangesOf(ranges, { lines, shown, matching }), ranges, shown)
    const spans = pairs.map(([first, last]) => ({ start: first - 1, end: last }))
    found.push({ path, spans: joined(spans) })
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Returns the commit that history begins with. @throws Exit unless there is one */
export function onlyTip({ reader }: Opened, tips: readonly NamedTip[]): NamedObject {
  const commits = tips.map((tip) => ({ ...tip, commit: reader.find(`${tip.oid}^{commit}`) }))
  const isOut = new Set(commits.flatMap(({ commit, excluded }) => (excluded ? [commit] : [])))
  const [first, second] = commits.filter(({ commit }) => !isOut.has(commit))
  if (!first) throw fatal('No commit specified?')
  if (first.commit === null) throw fatal(`Non commit ${textOfBytes(first.name)}?`)
  if (!second) return { name: first.name, oid: first.commit }
  if (second.commit === null) throw fatal(`Non commit ${textOfBytes(second.name)}?`)
  const names = [second, first].map(({ name }) => textOfBytes(name))
  throw fatal(`More than one commit to dig from: ${names.join(' and ')}?`)
}

function inFile<T>(find: () => T, ranges: readonly string[], shown: string): T {
  try {
    return find()
  } catch (error) {
    // The usage of `blame` says that a range is malformed.
    if (error instanceof Exit && error.code === 129) throw malformed(`${ranges[0]}:${shown}`)
    throw error
  }
}

function malformed(arg: string): Exit {
  return fatal(`-L argument not 'start,end:file' or ':funcname:file': ${arg}`)
}

/** `ls-files`: lists the paths of the index. */
import type { IndexFileEntry } from '../../../base/types.js'
import { decodeIndexFile } from '../../../objects/index-file-entry.js'
import { flagOption } from '../args/flag-option.js'
import { type Option, parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { fatal } from '../base/exit.js'
import { Lines } from '../base/output.js'
import type { Command, Opened } from '../opening/command.js'
import { magicOf, pathspecOf } from '../repository/pathspec.js'
import { fromBytes } from '../text/bytes.js'
import { relativePath } from '../text/relative.js'
import { digitsOf } from './ls-tree.js'

/** Options of git that need the files of the work tree, or are missing. */
const UNSUPPORTED: readonly Omit<Option, 'set'>[] = [
  { short: 'd', long: 'deleted' },
  { short: 'm', long: 'modified' },
  { short: 'o', long: 'others' },
  { short: 'i', long: 'ignored' },
  { short: 'k', long: 'killed' },
  { short: 'f' },
  { short: 'x', long: 'exclude', value: 'required' },
  { short: 'X', long: 'exclude-from', value: 'required' },
  { long: 'exclude-per-directory', value: 'required' },
  { long: 'exclude-standard' },
  { long: 'directory' },
  { long: 'empty-directory' },
  { long: 'eol' },
  { long: 'resolve-undo' },
  { long: 'recurse-submodules' },
  { long: 'with-tree', value: 'required' },
  { long: 'format', value: 'required' },
  { long: 'debug' },
]

interface Parsed {
  stage: boolean
  unmerged: boolean
  tag: boolean
  valid: boolean
  z: boolean
  fullName: boolean
  errorUnmatch: boolean
  deduplicate: boolean
  sparse: boolean
  /** The digits of shown ids: `null` for all, 0 to choose by the size of the repository. */
  digits: number | null
}

type Flag = Exclude<keyof Parsed, 'digits'>

export function lsFiles(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    stage: false,
    unmerged: false,
    tag: false,
    valid: false,
    z: false,
    fullName: false,
    errorUnmatch: false,
    deduplicate: false,
    sparse: false,
    digits: null,
  }
  const paths = parseOptions(optionsInto(parsed), args)
  compileQuickly()
  const opened = command.open()
  const lines = new Lines(opened.io)
  try {
    list(opened, parsed, selected(opened, paths), lines)
  } finally {
    lines.flush()
  }
  return parsed.errorUnmatch && reportUnmatched(opened, parsed, paths) ? 1 : 0
}

/** Returns the pathspec: in a folder it selects below that unless another path is included. */
function selected(opened: Opened, paths: readonly string[]): Uint8Array | undefined {
  const excludes = (path: string) => magicOf(opened.io, path).includes('exclude')
  const all = paths.every(excludes) && opened.place.prefix !== '' ? ['.', ...paths] : paths
  return all.length > 0 ? pathspecOf(opened, all) : undefined
}

function list(
  opened: Opened,
  parsed: Parsed,
  pathspec: Uint8Array | undefined,
  lines: Lines,
): void {
  const from = parsed.fullName ? '' : opened.place.prefix
  const hasPathsAlone = !(parsed.stage || parsed.unmerged || parsed.tag)
  let last: string | undefined
  eachEntry(opened, parsed, pathspec, (entry) => {
    const whole = fromBytes(entry.pathBytes)
    if (parsed.deduplicate && hasPathsAlone && whole === last) return
    last = whole
    const path = from === '' ? whole : relativePath(whole, from)
    if (parsed.tag) lines.add(`${tagOf(entry, parsed.valid)} `)
    if (parsed.stage || parsed.unmerged) lines.add(`${numbersOf(opened, entry, parsed.digits)}\t`)
    lines.add(parsed.z ? `${path}\0` : `${opened.quote(path)}\n`)
  })
}

function eachEntry(
  { reader }: Opened,
  { unmerged, sparse }: Parsed,
  pathspec: Uint8Array | undefined,
  use: (entry: IndexFileEntry) => void,
): void {
  reader.pages({ kind: 'index', pathspec, sparse }, (page) => {
    for (const entry of decodeIndexFile(new Uint8Array(page))) {
      if (!unmerged || entry.stage > 0) use(entry)
    }
  })
}

function tagOf({ isSkipped, stage, isAssumedUnchanged }: IndexFileEntry, valid: boolean): string {
  const tag = isSkipped ? 'S' : stage > 0 ? 'M' : 'H'
  return valid && isAssumedUnchanged ? tag.toLowerCase() : tag
}

function numbersOf({ reader }: Opened, entry: IndexFileEntry, digits: number | null): string {
  const { mode, oid, stage } = entry
  const shown = digits === null || digits >= oid.length ? oid : reader.abbreviate(oid, digits)
  return `${mode.toString(8).padStart(6, '0')} ${shown} ${stage}`
}

/** Reports the paths that select nothing; returns whether there are any. */
function reportUnmatched(opened: Opened, parsed: Parsed, paths: readonly string[]): boolean {
  const isFound = (pathspec: Uint8Array | undefined) => {
    let found = false
    eachEntry(opened, parsed, pathspec, () => {
      found = true
    })
    return found
  }
  const excludes = (path: string) => magicOf(opened.io, path).includes('exclude')
  const included = paths.filter((path) => !excludes(path))
  // git tries what is excluded once a path is included by another element.
  const triesExcluded = isFound(selected(opened, included))
  const unmatched = paths.filter((path) =>
    excludes(path) ? !triesExcluded : !isFound(pathspecOf(opened, [path])),
  )
  for (const path of unmatched) {
    opened.io.writeError(`error: pathspec '${path}' did not match any file(s) known to git\n`)
  }
  if (unmatched.length > 0) opened.io.writeError("Did you forget to 'git add'?\n")
  return unmatched.length > 0
}

function optionsInto(parsed: Parsed): Option[] {
  const flag = (name: Flag, names: Pick<Option, 'short' | 'long'>) =>
    flagOption(parsed, name, names)
  return [
    { short: 'c', long: 'cached', negatable: true, set: () => {} },
    flag('stage', { short: 's', long: 'stage' }),
    flag('unmerged', { short: 'u', long: 'unmerged' }),
    flag('tag', { short: 't' }),
    {
      short: 'v',
      set: () => {
        parsed.tag = true
        parsed.valid = true
      },
    },
    flag('z', { short: 'z' }),
    flag('fullName', { long: 'full-name' }),
    flag('errorUnmatch', { long: 'error-unmatch' }),
    flag('deduplicate', { long: 'deduplicate' }),
    flag('sparse', { long: 'sparse' }),
    {
      long: 'abbrev',
      value: 'optional',
      negatable: true,
      set: (value, negated) => {
        parsed.digits = negated ? null : digitsOf(value)
      },
    },
    ...UNSUPPORTED.map((option) => ({
      ...option,
      set: () => {
        const name = option.long ? `--${option.long}` : `-${option.short}`
        throw fatal(`packlens ls-files does not support ${name}`)
      },
    })),
  ]
}

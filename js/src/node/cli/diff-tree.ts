/** `diff-tree`: compares two trees, or a commit with its parent. */
import type { FileChange, FilePatch, RenameLimit } from '../../base/types.js'
import { decodeChanges } from '../../objects/change.js'
import { decodePatches } from '../../objects/patch.js'
import { bytesOfArgument, fromBytes, quotePath, textOfBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { commitOf } from './commits.js'
import { compileQuickly } from './compiler.js'
import type { DiffArgs } from './diff-args.js'
import { diffOptions, newDiffArgs, patchesAsked } from './diff-args.js'
import { Exit, fatal } from './exit.js'
import { parseOptions } from './options.js'
import { Lines } from './output.js'
import { renamedPath } from './renamed-path.js'
import { findRevisions, unknownArgument } from './revisions.js'

const USAGE = `usage: packlens diff-tree [<options>] <tree-ish> <tree-ish>
   or: packlens diff-tree [<options>] <commit>

    -r                    recurse into subtrees
    -t                    show trees when recursing
    --root                compare the first commit with the empty tree
    --no-commit-id        do not print the id of the commit
    -p, -u, --patch       print patches
    --raw                 print modes and ids
    --patch-with-raw      print both
    --numstat             print numbers of lines
    --name-only           print names
    --name-status         print names and what happened
    -z                    terminate entries with NUL byte
    --full-index          print all digits of ids in patches
    --abbrev[=<n>]        print <n> digits of ids
    -U<n>, --unified=<n>  print <n> lines around changes
    --inter-hunk-context=<n>
    --minimal, --patience, --histogram, --diff-algorithm=<algorithm>
    -w, --ignore-all-space
    -b, --ignore-space-change
    --ignore-space-at-eol
    --ignore-cr-at-eol
    --ignore-blank-lines
    --[no-]indent-heuristic
    -M, --find-renames[=<n>]
    -C, --find-copies[=<n>], --find-copies-harder
    -B, --break-rewrites[=<n>[/<m>]]
    -l<n>                 look for renames among at most <n> files
    --no-renames, --[no-]rename-empty

`

/** What a notice says of renames that were not looked for. */
const LIMITED = 'exhaustive rename detection was skipped'
const PARTLY_LIMITED = 'only found copies from modified paths'

/** Revisions of the two trees; `null` is the empty one. */
type Trees = readonly [old: string | null, now: string | null]

interface Parsed extends DiffArgs {
  recursive: boolean
  showTrees: boolean
  root: boolean
  commitId: boolean
}

export function diffTree(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    ...{ recursive: false, showTrees: false, root: false, commitId: true },
    ...newDiffArgs(),
  }
  const rest = parseOptions(
    [
      { short: 'r', set: () => (parsed.recursive = true) },
      { short: 't', set: () => (parsed.recursive = parsed.showTrees = true) },
      { long: 'root', set: () => (parsed.root = true) },
      { long: 'no-commit-id', set: () => (parsed.commitId = false) },
      ...diffOptions(parsed),
    ],
    args,
    USAGE,
  )
  const shown = [parsed.nameOnly, parsed.nameStatus].filter(Boolean)
  if (shown.length > 1) {
    throw fatal("options '--name-only' and '--name-status' cannot be used together")
  }
  // Names exclude everything else, in git.
  if (shown.length === 1) parsed.raw = parsed.patch = parsed.numstat = false
  if (rest.length === 0) throw new Exit(129, USAGE)
  if (rest.length > 2) throw fatal('packlens diff-tree does not support paths')
  compileQuickly('walk')
  const opened = command.open()
  const [first = '', second] = rest.map((arg) => named(opened, arg))
  if (second !== undefined) {
    new Printer(opened, parsed, '').print([first, second])
    return 0
  }
  const commit = commitOf(opened, first)
  if (commit === null) return 0
  const old = oldOf(opened, parsed, commit)
  if (old === undefined) return 0
  const line = parsed.commitId ? `${commit}${parsed.nulTerminated ? '\0' : '\n'}` : ''
  new Printer(opened, parsed, line).print([old, commit])
  return 0
}

function named(opened: Opened, arg: string): string {
  const name = bytesOfArgument(arg)
  const found = findRevisions(opened, name)
  if (found.kind === 'one' && !found.revision.excluded) {
    opened.names.warn(name)
    return found.revision.oid
  }
  if (found.kind === 'none') {
    if (found.why.errors !== '') opened.io.writeError(found.why.errors)
    throw unknownArgument(textOfBytes(name), found.why.path)
  }
  throw fatal(`packlens diff-tree does not support '${arg}': name two trees`)
}

/** Returns what a commit is compared with; `undefined` if git prints nothing for it. */
function oldOf({ reader }: Opened, { root }: Parsed, commit: string): string | null | undefined {
  const parent = reader.find(`${commit}^1`)
  if (parent === null) return root ? null : undefined
  return reader.find(`${commit}^2`) === null ? parent : undefined
}

class Printer {
  readonly #opened: Opened
  readonly #args: Parsed
  readonly #lines: Lines
  readonly #end: string
  /** Printed before the first change. */
  #before: string
  #limit: RenameLimit | undefined
  readonly #limited = (limit: RenameLimit) => {
    this.#limit = limit
  }

  constructor(opened: Opened, args: Parsed, before: string) {
    this.#opened = opened
    this.#args = args
    this.#lines = new Lines(opened.io)
    this.#end = args.nulTerminated ? '\0' : '\n'
    this.#before = before
  }

  print(trees: Trees): void {
    const { raw, patch, numstat, nameOnly, nameStatus } = this.#args
    const isListed = raw || nameOnly || nameStatus || !(patch || numstat)
    if (isListed) this.#list(trees)
    if (numstat) this.#count(trees)
    if (patch) {
      let between = isListed || numstat ? this.#end : ''
      this.#each(trees, false, ({ bytes }) => {
        if (bytes.byteLength === 0) return
        this.#add(between + fromBytes(bytes))
        between = ''
      })
    }
    this.#lines.flush()
    this.#warn()
  }

  /** Says as git does which renames were not looked for. */
  #warn(): void {
    if (!this.#limit) return
    const what = this.#limit.isPartial ? PARTLY_LIMITED : LIMITED
    const advice = 'you may want to set your diff.renameLimit variable to at least'
    this.#opened.io.writeError(`warning: ${what} due to too many files.
warning: ${advice} ${this.#limit.needed} and retry the command.
`)
  }

  #add(text: string): void {
    if (text === '') return
    this.#lines.add(this.#before + text)
    this.#before = ''
  }

  #list(trees: Trees): void {
    const { recursive, showTrees, patch, numstat } = this.#args
    const [old, now] = trees.map((tree) => tree ?? undefined)
    const all = recursive || patch || numstat
    const asked = { old, new: now, recursive: all, trees: showTrees, ...this.#args.renames }
    const question = { kind: 'diff', ...asked } as const
    this.#opened.reader.pages(question, (page) => {
      for (const change of decodeChanges(new Uint8Array(page), this.#limited)) {
        this.#add(this.#lineOf(change))
      }
    })
  }

  #lineOf(change: FileChange): string {
    const { nameOnly, nameStatus, nulTerminated } = this.#args
    const path = this.#path(change.pathBytes)
    if (nameOnly) return path + this.#end
    const separator = nulTerminated ? '\0' : '\t'
    const isMoved = change.similarity !== null
    const paths = isMoved ? this.#path(change.oldPathBytes) + separator + path : path
    const line = letterOf(change) + separator + paths + this.#end
    if (nameStatus) return line
    const modes = [change.oldMode, change.newMode].map((mode) =>
      (mode ?? 0).toString(8).padStart(6, '0'),
    )
    const oids = [change.oldOid, change.newOid].map((oid) => this.#shorten(oid))
    return `:${modes.join(' ')} ${oids.join(' ')} ${line}`
  }

  #path(bytes: Uint8Array): string {
    const path = fromBytes(bytes)
    return this.#args.nulTerminated ? path : quotePath(path)
  }

  #shorten(oid: string | null): string {
    const { reader } = this.#opened
    const { digits } = this.#args
    const whole = oid ?? '0'.repeat(reader.hexLength)
    return digits === null ? whole : reader.abbreviate(whole, digits)
  }

  #each([old, now]: Trees, joinTypes: boolean, use: (patch: FilePatch) => void): void {
    const asked = { ...patchesAsked(this.#args), joinTypes }
    const question = { ...asked, old: old ?? undefined, new: now ?? undefined }
    this.#opened.reader.pages(question, (page) => {
      for (const patch of decodePatches(new Uint8Array(page), this.#limited)) {
        if (patch.kind === 'too-large') {
          const path = textOfBytes(fromBytes(patch.pathBytes))
          throw fatal(`'${path}' takes more memory than allowed: set PACKLENS_MEMORY`)
        }
        use(patch)
      }
    })
  }

  #count(trees: Trees): void {
    this.#each(trees, true, (patch) => {
      // Of files whose differences do not count, git prints nothing.
      if (patch.bytes.byteLength === 0) return
      const numbers = patch.kind === 'binary' ? ['-', '-'] : [patch.added, patch.removed]
      this.#add(`${numbers.join('\t')}\t${this.#paths(patch)}${this.#end}`)
    })
  }

  #paths({ pathBytes, oldPathBytes, similarity }: FileChange): string {
    if (similarity === null) return this.#path(pathBytes)
    const [old, path] = [fromBytes(oldPathBytes), fromBytes(pathBytes)]
    return this.#args.nulTerminated ? `\0${old}\0${path}` : renamedPath(old, path)
  }
}

/** Returns the letter of a change, and its score. */
function letterOf({ status, similarity, dissimilarity }: FileChange): string {
  const letter = status === 'type-changed' ? 'T' : status.charAt(0).toUpperCase()
  const score = similarity ?? dissimilarity
  return score === null ? letter : letter + String(score).padStart(3, '0')
}

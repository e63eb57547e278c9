/** The lines of a status, in the formats of git for programs and the short one. */
import type { ChangedFile, SubmoduleState, UnmergedFile } from '../../../base/types.js'
import type { Lines } from '../base/output.js'
import type { Opened } from '../opening/command.js'
import { fromBytes } from '../text/bytes.js'
import { relativePath } from '../text/relative.js'
import { paint, type StatusColors } from './status-colors.js'
import type { PrintedEntry } from './status-rows.js'

/** The formats: `--porcelain`, `--porcelain=v2` and `--short`. */
export type StatusFormat = 'v1' | 'v2' | 'short'

export interface StatusStyle {
  readonly format: StatusFormat
  /** Whether lines end with NUL, and paths are not quoted. */
  readonly z: boolean
  /** The folder that paths are relative to; empty for the top. */
  readonly prefix: string
  readonly quote: Opened['quote']
  readonly colors: StatusColors
  /** How many digits ids have. */
  readonly digits: number
}

const LETTERS = {
  added: 'A',
  deleted: 'D',
  modified: 'M',
  'type-changed': 'T',
  renamed: 'R',
  copied: 'C',
  unknown: 'X',
} as const

/** The letters of a conflict, by which stages exist: 1, 2 and 4. */
const CONFLICTS = ['', 'DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'] as const

const SUBMODULE = 0o160000

export function addStatus(
  lines: Lines,
  entries: readonly PrintedEntry[],
  style: StatusStyle,
): void {
  const { format, z, prefix, quote } = style
  const end = z ? '\0' : '\n'
  const path = (bytes: Uint8Array) => {
    const whole = fromBytes(bytes)
    const shown = prefix === '' ? whole : relativePath(whole, prefix)
    return z ? shown : quoted(shown, format, quote)
  }
  const isLast = ({ kind }: PrintedEntry) => format === 'v2' && kind === 'unmerged'
  const tracked = entries.filter((entry) => !isOther(entry))
  const ordered = [
    ...tracked.filter((entry) => !isLast(entry)),
    ...tracked.filter(isLast),
    ...entries.filter(isOther),
  ]
  // Untracked files precede ignored ones.
  const others = ordered.filter(({ kind }) => kind !== 'ignored')
  const ignored = ordered.filter(({ kind }) => kind === 'ignored')
  const line = format === 'v2' ? longLine : shortLine
  for (const entry of [...others, ...ignored]) lines.add(`${line(entry, path, style)}${end}`)
}

function isOther({ kind }: PrintedEntry): boolean {
  return kind === 'untracked' || kind === 'ignored'
}

/** The short formats quote a path with spaces, too. */
function quoted(path: string, format: StatusFormat, quote: Opened['quote']): string {
  const shown = quote(path)
  return format !== 'v2' && shown === path && path.includes(' ') ? `"${path}"` : shown
}

type ShowPath = (bytes: Uint8Array) => string

function shortLine(entry: PrintedEntry, path: ShowPath, style: StatusStyle): string {
  const { format, z, colors } = style
  const own = path(entry.pathBytes)
  if (entry.kind === 'untracked') return `${paint('??', colors.untracked)} ${own}`
  if (entry.kind === 'ignored') return `${paint('!!', colors.untracked)} ${own}`
  if (entry.kind === 'unmerged') return `${paint(conflict(entry), colors.unmerged)} ${own}`
  const { staged, unstaged, oldPathBytes, similarity, submodule } = entry
  const isWithin = format === 'short' && submodule !== null && !submodule.hasOtherCommit
  const second = isWithin ? within(submodule) : letter(unstaged, ' ')
  const painted = (letter: string, color: string) => (letter === ' ' ? ' ' : paint(letter, color))
  const letters = `${painted(letter(staged, ' '), colors.updated)}${painted(second, colors.changed)}`
  if (similarity === null) return `${letters} ${own}`
  const old = path(oldPathBytes)
  return z ? `${letters} ${own}\0${old}` : `${letters} ${old} -> ${own}`
}

/** Returns the letter of a submodule whose commit is that of the index. */
function within({ isModified, hasUntracked }: SubmoduleState): string {
  if (isModified) return 'm'
  return hasUntracked ? '?' : ' '
}

function longLine(entry: PrintedEntry, path: ShowPath, { z, digits }: StatusStyle): string {
  const own = path(entry.pathBytes)
  if (entry.kind === 'untracked') return `? ${own}`
  if (entry.kind === 'ignored') return `! ${own}`
  if (entry.kind === 'unmerged') return unmergedLine(entry, own, digits)
  const { staged, unstaged, similarity, headMode, indexMode, worktreeMode } = entry
  const { headOid, indexOid, submodule } = entry
  const none = '0'.repeat(digits)
  const modes = [headMode, indexMode, worktreeMode]
  const fields = [
    similarity === null ? '1' : '2',
    `${letter(staged, '.')}${letter(unstaged, '.')}`,
    stateOf(modes, submodule),
    ...modes.map(modeText),
    headOid ?? none,
    indexOid ?? none,
    ...(similarity === null ? [] : [`${letter(moved(staged) ?? unstaged, '.')}${similarity}`]),
    own,
  ].join(' ')
  return similarity === null ? fields : `${fields}${z ? '\0' : '\t'}${path(entry.oldPathBytes)}`
}

/** Returns how the index differs, if that has a score: its deleted file may be added again as a renamed one. */
function moved(staged: ChangedFile['staged']): ChangedFile['staged'] {
  return staged === 'renamed' || staged === 'copied' ? staged : null
}

function unmergedLine(entry: UnmergedFile, own: string, digits: number): string {
  const { stages, worktreeMode } = entry
  const modes = stages.map((stage) => stage?.mode ?? null)
  return [
    'u',
    conflict(entry),
    stateOf(modes, null),
    ...[...modes, worktreeMode].map(modeText),
    ...stages.map((stage) => stage?.oid ?? '0'.repeat(digits)),
    own,
  ].join(' ')
}

function letter(change: keyof typeof LETTERS | null, none: string): string {
  return change === null ? none : LETTERS[change]
}

function conflict({ stages }: UnmergedFile): string {
  const bits = stages.map((stage, at) => (stage === null ? 0 : 1 << at))
  return CONFLICTS[bits.reduce((sum, bit) => sum + bit, 0)] ?? ''
}

function modeText(mode: number | null): string {
  return (mode ?? 0).toString(8).padStart(6, '0')
}

/** Returns the field about a submodule. */
function stateOf(modes: readonly (number | null)[], state: SubmoduleState | null): string {
  if (!modes.includes(SUBMODULE)) return 'N...'
  const { hasOtherCommit, isModified, hasUntracked } = state ?? {}
  return `S${hasOtherCommit ? 'C' : '.'}${isModified ? 'M' : '.'}${hasUntracked ? 'U' : '.'}`
}

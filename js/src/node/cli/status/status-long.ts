/** The long format of `status`: what git prints for people. */
import type { ChangedFile, UnmergedFile } from '../../../base/types.js'
import { columnLines } from '../color/column-layout.js'
import { type ColumnStyle, hasColumns } from '../color/column-style.js'
import { columnsOfTerminal } from '../diff/diff-stat.js'
import type { Opened } from '../opening/command.js'
import { fromBytes } from '../text/bytes.js'
import { relativePath } from '../text/relative.js'
import { type Branch, branchOf, stashes } from './status-branch.js'
import { addHeading } from './status-heading.js'
import { StatusPage } from './status-page.js'
import type { PrintedEntry } from './status-rows.js'
import { addSparse } from './status-sparse.js'
import { addStates } from './status-states.js'
import { addTracking } from './status-tracking.js'
import { type UnderWay, underWay } from './under-way.js'

export interface LongStyle {
  readonly isCounted: boolean
  readonly showsStash: boolean
  readonly showsUntracked: boolean
  /** The folder that paths are relative to; empty for the top. */
  readonly prefix: string
  /** How untracked and ignored files are put in columns. */
  readonly columns: ColumnStyle
}

/** Rows by the parts of the page that they belong to. */
interface Parts {
  readonly staged: readonly ChangedFile[]
  readonly unmerged: readonly UnmergedFile[]
  readonly unstaged: readonly ChangedFile[]
  readonly untracked: readonly PrintedEntry[]
  readonly ignored: readonly PrintedEntry[]
}

type ShowPath = (bytes: Uint8Array) => string

/** What is said of changed files, as wide as the longest one and a space. */
const LABELS = {
  added: 'new file:   ',
  copied: 'copied:     ',
  deleted: 'deleted:    ',
  modified: 'modified:   ',
  renamed: 'renamed:    ',
  'type-changed': 'typechange: ',
  unknown: 'unknown:    ',
} as const

/** What is said of conflicts, by which stages exist: 1, 2 and 4. */
const CONFLICTS = [
  '',
  'both deleted:    ',
  'added by us:     ',
  'deleted by them: ',
  'added by them:   ',
  'deleted by us:   ',
  'both added:      ',
  'both modified:   ',
] as const

const BOTH_DELETED = 1

export function printLong(
  opened: Opened,
  entries: readonly PrintedEntry[],
  style: LongStyle,
): void {
  const page = new StatusPage(opened)
  try {
    const [branch, state, parts] = [branchOf(opened), underWay(opened), partsOf(entries)]
    const path = shower(opened, style.prefix)
    addHeading(page, opened, branch, state)
    addTracking(page, opened, branch, style.isCounted)
    const extent = { isUnmerged: parts.unmerged.length > 0, isDirty: parts.unstaged.length > 0 }
    addStates(page, opened, state, extent)
    addSparse(page, opened)
    if (branch.commit === null) {
      page.blank()
      page.line('No commits yet')
      page.blank()
    }
    addStaged(page, parts, { branch, state, path })
    addUnmerged(page, parts, { branch, state, path })
    addUnstaged(page, parts, path)
    const add = (files: readonly PrintedEntry[], kind: string, command: string) => {
      const names = files.map(({ pathBytes }) => path(pathBytes))
      addOthers(
        page,
        kind,
        command,
        names,
        hasColumns(style.columns, opened) &&
          ((indent) => {
            // git leaves the last column free.
            return columnLines(names, style.columns, columnsOfTerminal(opened.io.env) - 1 - indent)
          }),
      )
    }
    add(parts.untracked, 'Untracked', 'git add')
    add(parts.ignored, 'Ignored', 'git add -f')
    addEnd(page, parts, { branch, state, showsUntracked: style.showsUntracked })
    const count = style.showsStash ? stashes(opened) : 0
    const kept = `Your stash currently has ${count} entr${count === 1 ? 'y' : 'ies'}`
    if (count > 0) page.line(kept)
  } finally {
    page.flush()
  }
}

function partsOf(entries: readonly PrintedEntry[]): Parts {
  const changed = entries.filter((entry) => entry.kind === 'changed')
  return {
    staged: changed.filter(({ staged }) => staged !== null),
    unmerged: entries.filter((entry) => entry.kind === 'unmerged'),
    unstaged: changed.filter(({ unstaged }) => unstaged !== null),
    untracked: entries.filter(({ kind }) => kind === 'untracked'),
    ignored: entries.filter(({ kind }) => kind === 'ignored'),
  }
}

function shower({ quote }: Opened, prefix: string): ShowPath {
  return (bytes) => {
    const whole = fromBytes(bytes)
    return quote(prefix === '' ? whole : relativePath(whole, prefix))
  }
}

interface Context {
  readonly branch: Branch
  readonly state: UnderWay
  readonly path: ShowPath
}

/** Says how to take files out of the index; not while a merge is concluded by a commit. */
function hintUnstage(page: StatusPage, { branch, state }: Context): void {
  if (isConcluded(state)) return
  const command = branch.commit === null ? 'git rm --cached' : 'git restore --staged'
  page.hint(`use "${command} <file>..." to unstage`)
}

function isConcluded({ isMerge, cherryPick }: UnderWay): boolean {
  return isMerge || (cherryPick !== null && cherryPick !== '')
}

function addStaged(page: StatusPage, { staged }: Parts, context: Context): void {
  if (staged.length === 0) return
  page.line('Changes to be committed:')
  hintUnstage(page, context)
  for (const entry of staged) {
    const label = LABELS[entry.staged ?? 'unknown']
    const isMoved = entry.staged === 'renamed' || entry.staged === 'copied'
    page.pieces('\t', [[`${label}${pathsOf(entry, isMoved, context.path)}`, page.colors.updated]])
  }
  page.blank()
}

function pathsOf(entry: ChangedFile, isMoved: boolean, path: ShowPath): string {
  const own = path(entry.pathBytes)
  return isMoved ? `${path(entry.oldPathBytes)} -> ${own}` : own
}

function addUnmerged(page: StatusPage, { unmerged }: Parts, context: Context): void {
  if (unmerged.length === 0) return
  const stagesOf = ({ stages }: UnmergedFile) => {
    return stages.reduce((sum, stage, at) => (stage === null ? sum : sum + (1 << at)), 0)
  }
  const kinds = unmerged.map(stagesOf)
  // One of the two has deleted the file.
  const isHalf = (kind: number) => kind === 3 || kind === 5
  page.line('Unmerged paths:')
  hintUnstage(page, context)
  if (kinds.every((kind) => kind === BOTH_DELETED)) {
    page.hint('use "git rm <file>..." to mark resolution')
  } else if (kinds.some((kind) => kind === BOTH_DELETED || isHalf(kind))) {
    page.hint('use "git add/rm <file>..." as appropriate to mark resolution')
  } else page.hint('use "git add <file>..." to mark resolution')
  for (const entry of unmerged) {
    const label = CONFLICTS[stagesOf(entry)] ?? ''
    page.pieces('\t', [[`${label}${context.path(entry.pathBytes)}`, page.colors.unmerged]])
  }
  page.blank()
}

function addUnstaged(page: StatusPage, { unstaged }: Parts, path: ShowPath): void {
  if (unstaged.length === 0) return
  const isDeleted = unstaged.some((entry) => entry.unstaged === 'deleted')
  const isWithin = unstaged.some(
    ({ submodule }) => submodule?.isModified || submodule?.hasUntracked,
  )
  page.line('Changes not staged for commit:')
  page.hint(`use "git add${isDeleted ? '/rm' : ''} <file>..." to update what will be committed`)
  page.hint('use "git restore <file>..." to discard changes in working directory')
  if (isWithin) page.hint('commit or discard the untracked or modified content in submodules')
  for (const entry of unstaged) {
    const label = LABELS[entry.unstaged ?? 'unknown']
    const shown = pathsOf(entry, entry.unstaged === 'renamed', path)
    page.pieces('\t', [[`${label}${shown}`, page.colors.changed], [remarks(entry)]])
  }
  page.blank()
}

/** Returns what changed in a submodule. */
function remarks({ submodule }: ChangedFile): string {
  const all = [
    ...(submodule?.hasOtherCommit ? ['new commits'] : []),
    ...(submodule?.isModified ? ['modified content'] : []),
    ...(submodule?.hasUntracked ? ['untracked content'] : []),
  ]
  return all.length > 0 ? ` (${all.join(', ')})` : ''
}

function addOthers(
  page: StatusPage,
  kind: string,
  command: string,
  names: readonly string[],
  layOut: false | ((indent: number) => readonly string[]),
): void {
  if (names.length === 0) return
  page.line(`${kind} files:`)
  page.hint(`use "${command} <file>..." to include in what will be committed`)
  const { untracked } = page.colors
  if (layOut) page.columns(untracked, layOut)
  else for (const name of names) page.pieces('\t', [[name, untracked]])
  page.blank('')
}

/** Adds why nothing would be committed; if something would be, whether untracked files are hidden. */
function addEnd(
  page: StatusPage,
  { staged, unmerged, unstaged, untracked }: Parts,
  { branch, state, showsUntracked }: Omit<Context, 'path'> & { readonly showsUntracked: boolean },
): void {
  const say = (what: string, hint: string) => page.plain(page.hints ? `${what} (${hint})` : what)
  const hidden = 'use -u option to show untracked files'
  const isCommittable = staged.length > 0 || (state.isMerge && unmerged.length === 0)
  if (isCommittable) {
    if (showsUntracked) return
    page.line(`Untracked files not listed${page.hints ? ` (${hidden})` : ''}`)
  } else if (unstaged.length > 0 || unmerged.length > 0) {
    say('no changes added to commit', 'use "git add" and/or "git commit -a"')
  } else if (untracked.length > 0) {
    const what = 'nothing added to commit but untracked files present'
    say(what, 'use "git add" to track')
  } else if (branch.commit === null) {
    say('nothing to commit', 'create/copy files and use "git add" to track')
  } else if (!showsUntracked) say('nothing to commit', 'use -u to show untracked files')
  else page.plain('nothing to commit, working tree clean')
}

/** Which operation a work tree is in the middle of, as the files of the git directory say. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { readRef } from '../refs/refnames.js'
import { commandsIn } from './rebase-plan.js'
import { commentOf } from './status-page.js'

/** The largest file that is read of an operation. */
const MOST_BYTES = 16 << 20

/** A rebase. */
export interface Rebase {
  /** The branch; `null` if `HEAD` was detached. */
  readonly branch: string | null
  /** The shortened id of the new base, or what else the file has; `null` without one. */
  readonly onto: string | null
  /** The commands that are done and those that follow; `null` if the rebase is not interactive. */
  readonly plan: {
    readonly done: readonly string[]
    readonly next: readonly string[] | null
  } | null
  /** The folder as git shows it. */
  readonly folder: string
}

export interface UnderWay {
  readonly isMerge: boolean
  /** Whether patches are applied, and whether the current one is empty. */
  readonly am: { readonly isEmpty: boolean } | null
  readonly rebase: Rebase | null
  /** The commit that is picked; empty between commits. */
  readonly cherryPick: string | null
  readonly revert: string | null
  /** The branch that a bisection started from; empty if that is not known. */
  readonly bisect: string | null
}

/** Reads the files of the operations. */
export function underWay(opened: Opened): UnderWay {
  const { gitDir } = opened.place
  const isThere = (name: string) => fs.existsSync(path.join(gitDir, name))
  const isAm = isThere('rebase-apply/applying')
  const command = firstCommand(textIn(gitDir, 'sequencer/todo'))
  return {
    isMerge: isThere('MERGE_HEAD'),
    am: isAm ? { isEmpty: textIn(gitDir, 'rebase-apply/patch') === '' } : null,
    rebase: isAm ? null : rebaseIn(opened, isThere),
    cherryPick: headOf(opened, 'CHERRY_PICK_HEAD') ?? (command === 'pick' ? '' : null),
    revert: headOf(opened, 'REVERT_HEAD') ?? (command === 'revert' ? '' : null),
    bisect: isThere('BISECT_LOG') ? (branchIn(opened, 'BISECT_START') ?? '') : null,
  }
}

function rebaseIn(opened: Opened, isThere: (name: string) => boolean): Rebase | null {
  const { gitDir } = opened.place
  const isApplied = isThere('rebase-apply')
  if (!isApplied && !isThere('rebase-merge')) return null
  const folder = isApplied ? 'rebase-apply' : 'rebase-merge'
  const isInteractive = !isApplied && isThere(`${folder}/interactive`)
  const planOf = (name: string) => {
    const text = textIn(gitDir, `${folder}/${name}`)
    return text === null ? null : commandsIn(text, commentOf(opened))
  }
  return {
    branch: branchIn(opened, `${folder}/head-name`),
    onto: branchIn(opened, `${folder}/onto`),
    plan: isInteractive ? { done: planOf('done') ?? [], next: planOf('git-rebase-todo') } : null,
    folder: shownFolder(opened, folder),
  }
}

/** Returns whether the commit that a rebase edits was split, for which work is left to commit. */
export function isSplit({ place, reader }: Opened): boolean {
  const [amended, began] = ['amend', 'orig-head'].map((name) => {
    return textIn(place.gitDir, `rebase-merge/${name}`)?.trim()
  })
  const [head, previous] = ['HEAD', 'ORIG_HEAD'].map((name) => readRef(reader, name)?.oid)
  if (!amended || !began || !head || !previous) return false
  return amended === began ? head !== amended : previous !== began
}

/** Returns whether a rebase stopped in a commit, not between two. */
export function hasMessage({ place }: Opened): boolean {
  return fs.existsSync(path.join(place.gitDir, 'MERGE_MSG'))
}

/** Returns the commit of a pseudo ref; empty if the file has no commit yet, `null` without one. */
function headOf({ place, reader }: Opened, name: string): string | null {
  const text = textIn(place.gitDir, name)
  if (text !== null) {
    const [oid] = /^[0-9a-f]+(?=\s|$)/.exec(text) ?? []
    if (oid?.length !== reader.hexLength) return null
    return /^0+$/.test(oid) ? '' : oid
  }
  // Reftables have pseudo refs, too.
  return readRef(reader, name)?.oid ?? null
}

/** Returns the first command of a sequence of commits, which has an argument. */
function firstCommand(todo: string | null): 'pick' | 'revert' | null {
  const [, word] = /^[ \t]*(pick|p|revert)[ \t]+\S/.exec(todo ?? '') ?? []
  if (word === undefined) return null
  return word === 'revert' ? word : 'pick'
}

/** Returns the branch that a file names, or a shortened id. */
function branchIn({ place, reader, settings }: Opened, name: string): string | null {
  const text = textIn(place.gitDir, name)?.replace(/\n+$/, '') ?? ''
  if (text === '' || text === 'detached HEAD') return null
  if (text.startsWith('refs/heads/')) return text.slice('refs/heads/'.length)
  const isId = text.length === reader.hexLength && /^[0-9a-f]+$/.test(text)
  return isId && settings.digits !== null ? reader.abbreviate(text, settings.digits) : text
}

/** Returns the path of a folder of the git directory, from the top of the work tree. */
function shownFolder({ place }: Opened, folder: string): string {
  const { gitDir, top } = place
  const below = top === null ? gitDir : path.relative(top, gitDir)
  return `${below.startsWith('..') ? gitDir : below}/${folder}`
}

/** Returns a file of the git directory, one character per byte; `null` without one. */
function textIn(gitDir: string, name: string): string | null {
  const place = path.join(gitDir, name)
  const stat = fs.statSync(place, { throwIfNoEntry: false })
  if (!stat?.isFile()) return null
  if (stat.size > MOST_BYTES) throw fatal(`'${place}' is larger than ${MOST_BYTES} bytes`)
  return fs.readFileSync(place, 'latin1')
}

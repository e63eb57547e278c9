/** The lines of a long status about operations under way. */
import type { Opened } from '../opening/command.js'
import { shownCommand } from './rebase-plan.js'
import type { StatusPage } from './status-page.js'
import { hasMessage, isSplit, type Rebase, type UnderWay } from './under-way.js'

/** What changed, as far as hints depend on it. */
export interface Extent {
  readonly isUnmerged: boolean
  /** Whether files of the work tree differ from the index. */
  readonly isDirty: boolean
}

/** How many commands of a rebase are shown, of those that are done and of the following. */
const SHOWN = 2

/** The names of commands that apply commits, and what the user is doing with them. */
const PICKS = {
  cherryPick: { name: 'cherry-pick', title: 'Cherry-pick', doing: 'cherry-picking' },
  revert: { name: 'revert', title: 'Revert', doing: 'reverting' },
} as const

export function addStates(page: StatusPage, opened: Opened, state: UnderWay, extent: Extent): void {
  if (state.isMerge) addMerge(page, extent)
  else if (state.am) addAm(page, state.am)
  else if (state.rebase) addRebase(page, opened, state.rebase, extent)
  else if (state.cherryPick !== null) addPick(page, opened, 'cherryPick', state.cherryPick, extent)
  else if (state.revert !== null) addPick(page, opened, 'revert', state.revert, extent)
  if (state.bisect !== null) {
    const from = state.bisect === '' ? '' : `, started from branch '${state.bisect}'`
    page.line(`You are currently bisecting${from}.`)
    page.hint('use "git bisect reset" to get back to the original branch')
    page.blank()
  }
}

function addMerge(page: StatusPage, { isUnmerged }: Extent): void {
  if (isUnmerged) {
    page.line('You have unmerged paths.')
    page.hint('fix conflicts and run "git commit"')
    page.hint('use "git merge --abort" to abort the merge')
  } else {
    page.line('All conflicts fixed but you are still merging.')
    page.hint('use "git commit" to conclude merge')
  }
  page.blank()
}

function addAm(page: StatusPage, { isEmpty }: { readonly isEmpty: boolean }): void {
  page.line('You are in the middle of an am session.')
  if (isEmpty) page.line('The current patch is empty.')
  else page.hint('fix conflicts and then run "git am --continue"')
  page.hint('use "git am --skip" to skip this patch')
  if (isEmpty) page.hint('use "git am --allow-empty" to record this patch as an empty commit')
  page.hint('use "git am --abort" to restore the original branch')
  page.blank()
}

function addRebase(page: StatusPage, opened: Opened, rebase: Rebase, extent: Extent): void {
  addPlan(page, opened, rebase)
  const { branch, onto, plan } = rebase
  const where = branch === null ? null : `branch '${branch}' on '${onto ?? '(null)'}'`
  if (extent.isUnmerged || plan === null || hasMessage(opened)) {
    page.line(`You are currently rebasing${where === null ? '' : ` ${where}`}.`)
    if (extent.isUnmerged) {
      page.hint('fix conflicts and then run "git rebase --continue"')
      page.hint('use "git rebase --skip" to skip this patch')
      page.hint('use "git rebase --abort" to check out the original branch')
    } else page.hint('all conflicts fixed: run "git rebase --continue"')
  } else {
    const when = where === null ? 'during a rebase' : `while rebasing ${where}`
    const splits = extent.isDirty && isSplit(opened)
    page.line(`You are currently ${splits ? 'splitting' : 'editing'} a commit ${when}.`)
    if (splits) page.hint('Once your working directory is clean, run "git rebase --continue"')
    else {
      page.hint('use "git commit --amend" to amend the current commit')
      page.hint('use "git rebase --continue" once you are satisfied with your changes')
    }
  }
  page.blank()
}

function addPlan(page: StatusPage, { reader, settings }: Opened, { plan, folder }: Rebase): void {
  if (plan === null) return
  const { done, next } = plan
  const add = (commands: readonly string[]) => {
    for (const one of commands) page.line(`   ${shownCommand(reader, one, settings.digits)}`)
  }
  if (next === null) page.line('git-rebase-todo is missing.')
  if (done.length === 0) page.line('No commands done.')
  else {
    const s = done.length === 1 ? '' : 's'
    page.line(`Last command${s} done (${done.length} command${s} done):`)
    add(done.slice(-SHOWN))
    if (done.length > SHOWN) page.hint(`see more in file ${folder}/done`)
  }
  if (next === null || next.length === 0) page.line('No commands remaining.')
  else {
    const s = next.length === 1 ? '' : 's'
    page.line(`Next command${s} to do (${next.length} remaining command${s}):`)
    add(next.slice(0, SHOWN))
    page.hint('use "git rebase --edit-todo" to view and edit')
  }
}

function addPick(
  page: StatusPage,
  { reader, settings }: Opened,
  which: keyof typeof PICKS,
  oid: string,
  { isUnmerged }: Extent,
): void {
  const { name, title, doing } = PICKS[which]
  const { digits } = settings
  const short = digits === null || oid === '' ? oid : reader.abbreviate(oid, digits)
  const what =
    oid === '' ? `${title} currently in progress` : `You are currently ${doing} commit ${short}`
  page.line(`${what}.`)
  if (isUnmerged) page.hint(`fix conflicts and run "git ${name} --continue"`)
  else if (oid === '') page.hint(`run "git ${name} --continue" to continue`)
  else page.hint(`all conflicts fixed: run "git ${name} --continue"`)
  page.hint(`use "git ${name} --skip" to skip this patch`)
  page.hint(`use "git ${name} --abort" to cancel the ${name} operation`)
  page.blank()
}

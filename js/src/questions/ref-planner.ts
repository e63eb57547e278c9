/** Plans changes of refs as one transaction: finds everything that git would refuse. */

import { isPacklensError, PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import type { Steps } from '../base/steps.js'
import { take, wait } from '../base/steps.js'
import type { Ref } from '../base/types.js'
import { PLAN } from '../options/full-tables.js'
import { checkArgument, checkOptions, each } from '../options/rules.js'
import type { AskOptions } from '../session/session.js'
import { resolve } from './reading.js'
import { get } from './ref-answers.js'
import { checkAvailable } from './ref-checks.js'
import type { PlannedRefs, PlanOptions, RefChange, RefPlanError } from './ref-plan.js'
import type { RepositoryContext } from './repository-context.js'

/** Returns the errors and the results of changes, without making them. */
export function planned(
  context: RepositoryContext,
  changes: Iterable<RefChange>,
  options: PlanOptions,
): MaybePromise<PlannedRefs> {
  checkOptions('refs.plan', options, PLAN)
  checkArgument('refs.plan', 'the first argument', changes, each)
  return take(new RefPlanner(context, options).plan(changes))
}

/** The state of a plan while its changes are checked. */
class RefPlanner {
  readonly #context: RepositoryContext
  readonly #options: PlanOptions
  /** The options of each read of a ref. */
  readonly #reading: AskOptions
  readonly #errors: RefPlanError[] = []
  readonly #moves = new Map<string, { before: string | null; after: string | null }>()
  readonly #peeled = new Map<string, string>()
  /** Names without a ref, which must not conflict with others. */
  readonly #created: string[] = []
  /** Names whose refs are deleted first, so that they conflict with none. */
  readonly #freed: string[] = []

  constructor(context: RepositoryContext, options: PlanOptions) {
    this.#context = context
    this.#options = options
    this.#reading = { signal: options.signal }
  }

  *plan(changes: Iterable<RefChange>): Steps<PlannedRefs> {
    const all = [...changes]
    for (const change of all) yield* this.#look(change)
    yield* this.#checkNames()
    const moves = [...this.#moves].map(([name, move]) => ({ name, ...move }))
    return { context: this.#context, errors: this.#errors, moves, peeled: this.#peeled }
  }

  *#look(change: RefChange): Steps<void> {
    const ref = yield* this.#follow(change.name)
    const before = ref.oid
    const { type } = change
    const expected = type === 'create' ? null : change.expected
    const problem = mismatch(change.name, before, expected)
    if (problem) this.#errors.push(problem)
    else if (type === 'rename' && before === null) {
      this.#errors.push(unresolved(change.name))
    }
    if (type === 'rename') {
      if (before !== null) this.#freed.push(ref.name)
      const target = yield* this.#follow(change.to)
      const taken = mismatch(change.to, target.oid, null)
      if (taken) this.#errors.push(taken)
      this.#move(change.name, ref.name, before, null)
      this.#move(change.to, target.name, target.oid, before)
      return
    }
    if (type === 'delete') {
      if (this.#options.deleteFirst) this.#freed.push(ref.name)
      this.#move(change.name, ref.name, before, null)
      return
    }
    yield* this.#checkObject(change.name, change.oid)
    this.#move(change.name, ref.name, before, change.oid)
  }

  /** Follows symbolic refs, and returns the name of the last one, which is the ref to change. */
  *#follow(name: string): Steps<Pick<Ref, 'name' | 'oid'>> {
    let last = name
    let ref = yield* this.#get(name)
    const { oid = null } = ref ?? {}
    for (let hops = 0; ref?.target != null && hops < 5; hops++) {
      last = ref.target
      ref = yield* this.#get(last)
    }
    return { name: last, oid }
  }

  #get(name: string): Steps<Ref | null> {
    return wait(get(this.#context, name, this.#reading))
  }

  #move(asked: string, name: string, before: string | null, after: string | null): void {
    if (this.#moves.has(name)) {
      const what =
        asked === name
          ? `multiple updates for ref '${name}' not allowed`
          : `multiple updates for '${name}' (including one via symref '${asked}') are not allowed`
      this.#errors.push({ name: asked, code: 'multiple-updates', message: what })
      return
    }
    this.#moves.set(name, { before, after })
    // Within one transaction git also checks the names of refs that are deleted.
    const isLocked = after !== null || !this.#options.deleteFirst
    if (before === null && isLocked) this.#created.push(name)
  }

  *#checkObject(name: string, oid: string): Steps<void> {
    if (!/^[0-9a-f]+$/.test(oid) || oid.length !== 2 * this.#context.engine.oidLength) {
      throw new PacklensError('BAD_INPUT', 'no object id', { subject: oid })
    }
    if (this.#peeled.has(oid)) return
    try {
      const peeled = yield* wait(resolve(this.#context, `${oid}^{}`, this.#reading))
      if (peeled !== oid) this.#peeled.set(oid, peeled)
    } catch (error) {
      if (!isPacklensError(error, 'NOT_FOUND', 'AMBIGUOUS')) throw error
      const message = `trying to write ref '${name}' with nonexistent object ${oid}`
      this.#errors.push({ name, code: 'missing-object', message })
    }
  }

  /** Checks that new names conflict neither with existing refs nor with each other. */
  *#checkNames(): Steps<void> {
    const names = { deleting: this.#freed, extra: this.#moves.keys() }
    const asked = { ...names, ...this.#reading }
    const found = yield* wait(checkAvailable(this.#context, this.#created, asked))
    for (const [name, answer] of found) {
      if (!answer.ok) this.#errors.push({ name, code: answer.code, message: answer.message })
    }
  }
}

function mismatch(
  name: string,
  before: string | null,
  expected: string | null | undefined,
): RefPlanError | null {
  if (expected === undefined || expected === before) return null
  const cannot = `cannot lock ref '${name}': `
  if (before === null) return unresolved(name)
  if (expected === null) {
    return { name, code: 'already-exists', message: `${cannot}reference already exists` }
  }
  const message = `${cannot}is at ${before} but expected ${expected}`
  return { name, code: 'unexpected-value', message }
}

function unresolved(name: string): RefPlanError {
  const message = `cannot lock ref '${name}': unable to resolve reference '${name}'`
  return { name, code: 'not-found', message }
}

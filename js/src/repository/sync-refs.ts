import type { Availability, Ref, ReflogEntry } from '../base/types.js'
import { eachRowFullNow } from '../questions/full.js'
import type { ListRefsOptions, PointsAtOptions } from '../questions/ref-answers.js'
import { defaultBranch, get, pointsAt, refList, resolveRef } from '../questions/ref-answers.js'
import type { AvailableOptions } from '../questions/ref-checks.js'
import type { PlanOptions, RefChange, SyncRefPlan } from '../questions/ref-plan.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { eachRow } from '../questions/rows.js'
import { fullNow } from '../session/modules.js'
import type { AskOptions } from '../session/session.js'
import { expectSync } from '../session/task.js'

/** The refs of a {@link SyncRepository}. Lists of refs are arrays. */
export class SyncRefs {
  readonly #context: RepositoryContext

  /** @internal */
  constructor(context: RepositoryContext) {
    this.#context = context
  }

  /** Lists refs: see {@link Refs.list}. */
  list(options: ListRefsOptions = {}): Ref[] {
    return [...eachRow(refList(this.#context, options))]
  }

  /** Lists the refs that point at an object: see {@link Refs.pointsAt}. */
  pointsAt(spec: string, options: PointsAtOptions = {}): Ref[] {
    return [...eachRow(pointsAt(this.#context, spec, options))]
  }

  /** Lists the refs from which a commit is reachable: see {@link Refs.containing}. */
  containing(spec: string, options: ListRefsOptions = {}): Ref[] {
    return [...eachRowFullNow(({ containing }) => containing(this.#context, spec, options))]
  }

  /** Returns the ref of this full name, `null` if there is none: see {@link Refs.get}. */
  get(name: string, options: AskOptions = {}): Ref | null {
    return expectSync(get(this.#context, name, options))
  }

  /** Returns the ref that a short name stands for: see {@link Refs.resolve}. */
  resolve(short: string, options: AskOptions = {}): Ref | null {
    return expectSync(resolveRef(this.#context, short, options))
  }

  /** Lists the changes of a ref, the newest first: see {@link Refs.log}. */
  log(name: string, options: AskOptions = {}): Generator<ReflogEntry, undefined> {
    return eachRowFullNow(({ reflog }) => reflog(this.#context, name, options))
  }

  /** Returns the name of the default branch: see {@link Refs.defaultBranch}. */
  defaultBranch(options: AskOptions = {}): string | null {
    return expectSync(defaultBranch(this.#context, options))
  }

  /** Returns which refs can be created together: see {@link Refs.checkAvailable}. */
  checkAvailable(
    names: Iterable<string>,
    options: AvailableOptions = {},
  ): Map<string, Availability> {
    return expectSync(fullNow().checkAvailable(this.#context, names, options))
  }

  /** Plans changes of refs as one transaction: see {@link Refs.plan}. */
  plan(changes: Iterable<RefChange>, options: PlanOptions = {}): SyncRefPlan {
    const { planned, SyncRefPlan } = fullNow()
    return new SyncRefPlan(expectSync(planned(this.#context, changes, options)))
  }
}

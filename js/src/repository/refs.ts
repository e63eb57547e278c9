import type { Availability, Ref, ReflogEntry } from '../base/types.js'
import { eachRowWhenFull, whenFull } from '../questions/full.js'
import type { ListRefsOptions, PointsAtOptions } from '../questions/ref-answers.js'
import { defaultBranch, get, pointsAt, refList, resolveRef } from '../questions/ref-answers.js'
import type { AvailableOptions } from '../questions/ref-checks.js'
import type { PlanOptions, RefChange, RefPlan } from '../questions/ref-plan.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { EachRow } from '../questions/rows.js'
import type { AskOptions } from '../session/session.js'

/** The refs of a repository. */
export class Refs {
  readonly #context: RepositoryContext

  /** @internal */
  constructor(context: RepositoryContext) {
    this.#context = context
  }

  /**
   * Lists refs in git's order, by the bytes of their names.
   *
   * ```ts
   * for await (const tag of repo.refs.list({ prefix: 'refs/tags/', peel: true })) {
   *   console.log(tag.name, tag.peeled ?? tag.oid)
   * }
   * ```
   */
  list(options: ListRefsOptions = {}): AsyncGenerator<Ref, undefined> {
    return new EachRow(refList(this.#context, options))
  }

  /**
   * Lists the refs that point at an object, directly or through tags. Reftables with an
   * object index are scanned once, for the refs that the index omits; later calls read few
   * of their blocks.
   */
  pointsAt(spec: string, options: PointsAtOptions = {}): AsyncGenerator<Ref, undefined> {
    return new EachRow(pointsAt(this.#context, spec, options))
  }

  /**
   * Lists the refs from which a commit is reachable, directly or through commits and tags.
   * One walk answers for all refs.
   *
   * ```ts
   * for await (const tag of repo.refs.containing(oid, { prefix: 'refs/tags/' })) console.log(tag.name)
   * ```
   */
  containing(spec: string, options: ListRefsOptions = {}): AsyncGenerator<Ref, undefined> {
    return eachRowWhenFull(this.#context, ({ containing }) =>
      containing(this.#context, spec, options),
    )
  }

  /** Returns the ref of this full name, such as `HEAD`; `null` if there is none. */
  async get(name: string, options: AskOptions = {}): Promise<Ref | null> {
    return get(this.#context, name, options)
  }

  /**
   * Returns the ref that a short name stands for by git's rules: `v1.0` may be
   * `refs/tags/v1.0`. `null` if no such ref resolves to an object.
   */
  async resolve(short: string, options: AskOptions = {}): Promise<Ref | null> {
    return resolveRef(this.#context, short, options)
  }

  /**
   * Lists the changes of the ref of this full name, the newest first. The list is empty
   * if the ref has no reflog.
   *
   * ```ts
   * for await (const { newOid, message } of repo.refs.log('HEAD')) console.log(newOid, message)
   * ```
   */
  log(name: string, options: AskOptions = {}): AsyncGenerator<ReflogEntry, undefined> {
    return eachRowWhenFull(this.#context, ({ reflog }) => reflog(this.#context, name, options))
  }

  /**
   * Returns the name of the default branch, such as `main`: the default branch of `origin`
   * if that is known, else the branch that `HEAD` names, born or not. `null` if `HEAD`
   * names none.
   */
  async defaultBranch(options: AskOptions = {}): Promise<string | null> {
    return defaultBranch(this.#context, options)
  }

  /**
   * Returns which refs can be created together, beside the existing refs: no ref can be
   * a directory of another. An existing ref of the same name is no conflict. All names are
   * checked together, as one question.
   *
   * ```ts
   * const found = await repo.refs.checkAvailable(['refs/heads/main/next'])
   * for (const [name, answer] of found) if (!answer.ok) console.log(name, answer.message)
   * ```
   */
  async checkAvailable(
    names: Iterable<string>,
    options: AvailableOptions = {},
  ): Promise<Map<string, Availability>> {
    const { checkAvailable } = await whenFull(this.#context)
    return checkAvailable(this.#context, names, options)
  }

  /**
   * Plans changes of refs as one transaction of `git update-ref --stdin`. Returns
   * everything that git would refuse, and the resulting value of each ref. Nothing is
   * written.
   *
   * ```ts
   * const plan = await repo.refs.plan([
   *   { type: 'update', name: 'refs/heads/main', oid, expected: old },
   *   { type: 'rename', name: 'refs/heads/old', to: 'refs/heads/archive/old' },
   * ])
   * if (!plan.ok) console.log(plan.errors.map(({ message }) => message))
   * else writeFile('packed-refs', await plan.toPackedRefs())
   * ```
   */
  async plan(changes: Iterable<RefChange>, options: PlanOptions = {}): Promise<RefPlan> {
    const { planned, RefPlan } = await whenFull(this.#context)
    return new RefPlan(await planned(this.#context, changes, options))
  }
}

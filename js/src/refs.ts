import type { Engine } from './engine.js'
import { PacklensError } from './errors.js'
import type { MaybePromise } from './maybe.js'
import { whenReady } from './maybe.js'
import { checkArgument, checkOptions, each, list, text } from './options/rules.js'
import { AVAILABLE, LIST_REFS, PLAN, POINTS_AT, READ } from './options/tables.js'
import { eachPage, eachPageSync } from './pages.js'
import type { CheckAvailableQuestion, RefsQuestion } from './protocol.js'
import { decodeAvailable, decodeReflog, decodeRefs } from './records.js'
import { type PlanOptions, type RefChange, type RefPlan, RefPlanner } from './ref-plan.js'
import { EachRow } from './rows.js'
import type { AskOptions, QuestionOptions } from './session.js'
import { inOneTurn } from './session.js'
import { encodeSpecs } from './specs.js'
import { expectSync } from './task.js'
import type { Availability, Ref, ReflogEntry } from './types.js'

/** What {@link Refs.list} takes. */
export interface ListRefsOptions extends AskOptions {
  /** Only refs whose full name begins so. Default: all under `refs/`. */
  readonly prefix?: string | undefined
  /**
   * As the patterns of `git for-each-ref`: a full name, directories that it begins
   * with, or a text with `*`. A ref that fits one of them is listed.
   */
  readonly pattern?: string | Iterable<string> | undefined
  /** Says what tags lead to, which may take a read each. Default: no. */
  readonly peel?: boolean | undefined
}

/** What {@link Refs.pointsAt} takes. */
export interface PointsAtOptions extends AskOptions {
  /**
   * Only refs that have the very id, neither symbolic ones nor tags that lead to it. Of
   * reftables that tell of objects few blocks are read then, the first time as well.
   * Default: no.
   */
  readonly direct?: boolean | undefined
}

/** What {@link Refs.checkAvailable} takes. */
export interface AvailableOptions extends AskOptions {
  /** Refs that will be gone: they are in nobody's way. */
  readonly deleting?: Iterable<string> | undefined
  /** Other names that are planned together with these. */
  readonly extra?: Iterable<string> | undefined
  /** The repository is known to have no refs yet: none is looked for. Default: no. */
  readonly initial?: boolean | undefined
}

const PAGE = 64 << 10
const HEADS = 'refs/heads/'
const REMOTE_HEAD = 'refs/remotes/origin/HEAD'
const REMOTE_HEADS = 'refs/remotes/origin/'

/** The refs of a repository. */
export class Refs {
  readonly #engine: Engine

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine
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
    return this.#each(() => listRequest('refs.list', options), options)
  }

  /** As {@link Refs.list}, without promises. */
  listSync(options: ListRefsOptions = {}): Ref[] {
    return this.#all(listRequest('refs.listSync', options), options)
  }

  /**
   * Lists the refs that lead to an object, themselves or by tags. Reftables that tell of
   * objects are gone over once, for refs that they do not tell of; later on few blocks
   * of them are read.
   */
  pointsAt(spec: string, options: PointsAtOptions = {}): AsyncGenerator<Ref, undefined> {
    return this.#each(() => pointsAtRequest('refs.pointsAt', spec, options), options)
  }

  /** As {@link Refs.pointsAt}, without promises. */
  pointsAtSync(spec: string, options: PointsAtOptions = {}): Ref[] {
    return this.#all(pointsAtRequest('refs.pointsAtSync', spec, options), options)
  }

  /**
   * Lists the refs whose history has a commit: those that lead to it, themselves or by
   * commits and tags. All refs together are one walk.
   *
   * ```ts
   * for await (const tag of repo.refs.containing(oid, { prefix: 'refs/tags/' })) console.log(tag.name)
   * ```
   */
  containing(spec: string, options: ListRefsOptions = {}): AsyncGenerator<Ref, undefined> {
    return this.#each(() => containingRequest('refs.containing', spec, options), options)
  }

  /** As {@link Refs.containing}, without promises. */
  containingSync(spec: string, options: ListRefsOptions = {}): Ref[] {
    return this.#all(containingRequest('refs.containingSync', spec, options), options)
  }

  /** Returns the ref of this full name, such as `HEAD`; `null` if there is none. */
  async get(name: string, options: AskOptions = {}): Promise<Ref | null> {
    checkName('refs.get', name, options)
    return this.#get(name, false, options)
  }

  /** As {@link Refs.get}, without a promise. */
  getSync(name: string, options: AskOptions = {}): Ref | null {
    checkName('refs.getSync', name, options)
    this.#engine.expectSync()
    return expectSync(this.#get(name, false, inOneTurn(options)))
  }

  /**
   * Returns the ref that a name stands for which need not be spelled out, by git's
   * rules: `v1.0` may be `refs/tags/v1.0`. `null` if there is none that leads to an
   * object.
   */
  async resolve(short: string, options: AskOptions = {}): Promise<Ref | null> {
    checkName('refs.resolve', short, options)
    return this.#get(short, true, options)
  }

  /** As {@link Refs.resolve}, without a promise. */
  resolveSync(short: string, options: AskOptions = {}): Ref | null {
    checkName('refs.resolveSync', short, options)
    this.#engine.expectSync()
    return expectSync(this.#get(short, true, inOneTurn(options)))
  }

  /**
   * Lists the changes of the ref of this full name, the newest first. Nothing is
   * listed if it has no reflog.
   *
   * ```ts
   * for await (const { newOid, message } of repo.refs.log('HEAD')) console.log(newOid, message)
   * ```
   */
  log(name: string, options: AskOptions = {}): AsyncGenerator<ReflogEntry, undefined> {
    const begin = () => {
      checkName('refs.log', name, options)
      return this.#engine.pages({ kind: 'reflog', name })
    }
    return new EachRow({ begin, rowsIn: decodeReflog, capacity: PAGE, options })
  }

  /** As {@link Refs.log}, without promises. */
  *logSync(name: string, options: AskOptions = {}): Generator<ReflogEntry, undefined> {
    checkName('refs.logSync', name, options)
    const pages = this.#engine.pages({ kind: 'reflog', name })
    this.#engine.expectSync()
    for (const page of eachPageSync(pages, PAGE, options)) {
      yield* decodeReflog(page)
    }
  }

  /**
   * Returns the name of the branch to begin with, such as `main`: the one that
   * `origin` was found to begin with, else the one that `HEAD` names, born or not.
   * `null` if `HEAD` names none.
   */
  async defaultBranch(options: AskOptions = {}): Promise<string | null> {
    checkOptions('refs.defaultBranch', options, READ)
    return this.#defaultBranch(options)
  }

  /** As {@link Refs.defaultBranch}, without a promise. */
  defaultBranchSync(options: AskOptions = {}): string | null {
    checkOptions('refs.defaultBranchSync', options, READ)
    this.#engine.expectSync()
    return expectSync(this.#defaultBranch(inOneTurn(options)))
  }

  /**
   * Tells which refs can be created together, beside those that are there: no ref
   * can be a directory of another. That a ref of the very name exists is not in the
   * way. Many names are looked at as one question.
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
    checkAvailableInput('refs.checkAvailable', names, options)
    const asked = [...names]
    const found: Availability[] = []
    const pages = this.#engine.pages(availableRequest(asked, options))
    for await (const page of eachPage(pages, PAGE, options)) found.push(...decodeAvailable(page))
    return answers(asked, found)
  }

  /** As {@link Refs.checkAvailable}, without a promise. */
  checkAvailableSync(
    names: Iterable<string>,
    options: AvailableOptions = {},
  ): Map<string, Availability> {
    checkAvailableInput('refs.checkAvailableSync', names, options)
    this.#engine.expectSync()
    const asked = [...names]
    const pages = this.#engine.pages(availableRequest(asked, options))
    const found = [...eachPageSync(pages, PAGE, options)].flatMap(decodeAvailable)
    return answers(asked, found)
  }

  /**
   * Tells what would happen if refs were changed together, as by one transaction of
   * `git update-ref --stdin`: what git would refuse, all of it, and what becomes of
   * each ref. Nothing is written.
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
    checkOptions('refs.plan', options, PLAN)
    checkArgument('refs.plan', 'the first argument', changes, each)
    return new RefPlanner(this, this.#engine, options).plan(changes)
  }

  #each(request: () => RefsQuestion, options: AskOptions): AsyncGenerator<Ref, undefined> {
    const begin = () => this.#engine.pages(request())
    return new EachRow({ begin, rowsIn: decodeRefs, capacity: PAGE, options })
  }

  #all(request: RefsQuestion, options: AskOptions): Ref[] {
    this.#engine.expectSync()
    const pages = this.#engine.pages(request)
    return [...eachPageSync(pages, PAGE, { signal: options.signal })].flatMap(decodeRefs)
  }

  #get(name: string, short: boolean, options: QuestionOptions): MaybePromise<Ref | null> {
    return whenReady(
      this.#engine.reference(name, short, options),
      (records) => decodeRefs(new Uint8Array(records))[0] ?? null,
    )
  }

  #defaultBranch(options: QuestionOptions): MaybePromise<string | null> {
    return whenReady(this.#get(REMOTE_HEAD, false, options), (remote) => {
      const named = remote?.target && below(REMOTE_HEADS, remote.target)
      if (named) return named
      return whenReady(this.#get('HEAD', false, options), (head) => {
        return head?.target ? below(HEADS, head.target) : null
      })
    })
  }
}

function below(prefix: string, name: string): string | null {
  return name.startsWith(prefix) ? name.slice(prefix.length) : null
}

function checkName(call: string, name: string, options: AskOptions): void {
  checkArgument(call, 'the name', name, text)
  checkOptions(call, options, READ)
}

function checkAvailableInput(
  call: string,
  names: Iterable<string>,
  options: AvailableOptions,
): void {
  checkArgument(call, 'the first argument', names, list)
  checkOptions(call, options, AVAILABLE)
}

function listRequest(call: string, options: ListRefsOptions): RefsQuestion {
  checkOptions(call, options, LIST_REFS)
  const { prefix, pattern = [], peel } = options
  const patterns = encodeSpecs(typeof pattern === 'string' ? [pattern] : pattern)
  return { kind: 'refs', prefix, patterns, peel }
}

function pointsAtRequest(call: string, spec: string, options: PointsAtOptions): RefsQuestion {
  checkArgument(call, 'the revision', spec, text)
  checkOptions(call, options, POINTS_AT)
  return { kind: 'refs', pointsAt: spec, direct: options.direct }
}

function containingRequest(call: string, spec: string, options: ListRefsOptions): RefsQuestion {
  checkArgument(call, 'the revision', spec, text)
  return { ...listRequest(call, options), contains: encodeSpecs([spec]) }
}

function availableRequest(
  names: readonly string[],
  { deleting = [], extra = [], initial }: AvailableOptions,
): CheckAvailableQuestion {
  return {
    kind: 'checkAvailable',
    names: encodeSpecs(names),
    deleting: encodeSpecs(deleting),
    extra: encodeSpecs(extra),
    initial,
  }
}

function answers(
  names: readonly string[],
  found: readonly Availability[],
): Map<string, Availability> {
  if (names.length !== found.length) {
    throw new PacklensError('INTERNAL', 'not every name got an answer')
  }
  return new Map(names.map((name, at) => [name, found[at] as Availability]))
}

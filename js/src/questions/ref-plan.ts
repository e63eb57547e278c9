/** Plans of ref changes: their results, and the files in which git would store them. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { encodeSpecs } from '../base/specs.js'
import type { Availability, Ref } from '../base/types.js'
import { joined } from '../engine/pages.js'
import { checkOptions } from '../options/rules.js'
import { READ } from '../options/tables.js'
import type { AskOptions } from '../session/session.js'
import { expectSync } from '../session/task.js'
import { refList } from './ref-answers.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** A change that {@link Refs.plan} plans. */
export type RefChange =
  | { readonly type: 'create'; readonly name: string; readonly oid: string }
  | {
      readonly type: 'update'
      readonly name: string
      readonly oid: string
      /** The required current id; `null` if the ref must not exist. Default: any. */
      readonly expected?: string | null | undefined
    }
  | { readonly type: 'delete'; readonly name: string; readonly expected?: string | undefined }
  | {
      readonly type: 'rename'
      readonly name: string
      readonly to: string
      readonly expected?: string | undefined
    }

/** Why git would refuse a change. */
export interface RefPlanError {
  /** The ref that the error is about. */
  readonly name: string
  readonly code:
    | Exclude<Availability, { ok: true }>['code']
    | 'already-exists'
    | 'not-found'
    | 'unexpected-value'
    | 'multiple-updates'
    | 'missing-object'
  /** git's message. */
  readonly message: string
}

/** The id of a ref before and after the plan; `null` if the ref does not exist. */
export interface RefMove {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** The options of {@link Refs.plan}. */
export interface PlanOptions extends AskOptions {
  /**
   * Deletes refs before others are created, as two transactions of git would. Default:
   * false, deleted refs conflict with new ones, as in one transaction.
   */
  readonly deleteFirst?: boolean | undefined
}

/** Per-worktree refs, which git never packs. */
const OWN = /^refs\/(bisect|worktree|rewritten)\//

const HEADER = '# pack-refs with: peeled fully-peeled sorted \n'

const LATIN1_STEP = 4096

const PAGE = 1 << 20

/** The result of planning. */
export interface PlannedRefs {
  readonly context: RepositoryContext
  readonly errors: readonly RefPlanError[]
  readonly moves: readonly RefMove[]
  /** The objects that new targets of refs peel to, if these are tags, by the ids of the tags. */
  readonly peeled: ReadonlyMap<string, string>
}

/** The results of a plan that need no further reads. */
export abstract class RefPlanBase {
  /** Everything that git would refuse, in the order of the changes. */
  readonly errors: readonly RefPlanError[]
  /** The ids of each changed ref before and after. */
  readonly moves: readonly RefMove[]

  /** @internal */
  constructor({ errors, moves }: PlannedRefs) {
    this.errors = errors
    this.moves = moves
  }

  get ok(): boolean {
    return this.errors.length === 0
  }
}

/** A plan that {@link Refs.plan} returns. */
export class RefPlan extends RefPlanBase {
  readonly #planned: PlannedRefs

  /** @internal */
  constructor(planned: PlannedRefs) {
    super(planned)
    this.#planned = planned
  }

  /**
   * Returns a `packed-refs` file with all refs after the plan. Symbolic, broken and
   * per-worktree refs are omitted, because git does not pack them.
   *
   * @throws `BAD_INPUT` if git would refuse the plan
   */
  async toPackedRefs(options: AskOptions = {}): Promise<Uint8Array> {
    return packedRefs(this.#planned, options)
  }

  /**
   * Returns a reftable with all refs after the plan, including symbolic refs and `HEAD`, as git
   * would write it in the first transaction of a repository. Broken refs, reflogs and the refs
   * of linked worktrees are omitted.
   *
   * @throws `BAD_INPUT` if git would refuse the plan
   */
  async toReftable(options: AskOptions = {}): Promise<Uint8Array> {
    return reftable(this.#planned, options)
  }
}

/** A plan that {@link SyncRefs.plan} returns. */
export class SyncRefPlan extends RefPlanBase {
  readonly #planned: PlannedRefs

  /** @internal */
  constructor(planned: PlannedRefs) {
    super(planned)
    this.#planned = planned
  }

  /** Returns a `packed-refs`: see {@link RefPlan.toPackedRefs}. */
  toPackedRefs(options: AskOptions = {}): Uint8Array {
    return expectSync(packedRefs(this.#planned, options))
  }

  /** Returns a reftable: see {@link RefPlan.toReftable}. */
  toReftable(options: AskOptions = {}): Uint8Array {
    return expectSync(reftable(this.#planned, options))
  }
}

function packedRefs(
  { context, errors, moves, peeled }: PlannedRefs,
  options: AskOptions,
): MaybePromise<Uint8Array> {
  checkOptions('plan.toPackedRefs', options, READ)
  expectOk(errors)
  const listing = refList(context, { peel: true, prefix: 'refs/', ...options })
  return ofAllRows(context, listing, (refs) => fileOf(refs, moves, peeled))
}

function fileOf(
  refs: readonly Ref[],
  moves: readonly RefMove[],
  peeledTags: ReadonlyMap<string, string>,
): Uint8Array {
  const lines = new Map<string, string>()
  const line = (name: string, oid: string, peeled: string | null) => {
    lines.set(name, `${oid} ${name}\n${peeled === null ? '' : `^${peeled}\n`}`)
  }
  for (const ref of refs) {
    if (ref.oid === null || ref.target !== null || OWN.test(ref.name)) continue
    line(bytesAsText(ref.nameBytes), ref.oid, ref.peeled)
  }
  const encoder = new TextEncoder()
  for (const { name, after } of moves) {
    const text = bytesAsText(encoder.encode(name))
    if (after === null || !name.startsWith('refs/') || OWN.test(name)) lines.delete(text)
    else line(text, after, peeledTags.get(after) ?? null)
  }
  // With one character for each byte, texts sort as their bytes do.
  const text =
    HEADER +
    [...lines.keys()]
      .sort()
      .map((name) => lines.get(name))
      .join('')
  return Uint8Array.from(text, (byte) => byte.charCodeAt(0))
}

function reftable(
  { context, errors, moves }: PlannedRefs,
  options: AskOptions,
): MaybePromise<Uint8Array> {
  checkOptions('plan.toReftable', options, READ)
  expectOk(errors)
  const changes = encodeSpecs(moves.flatMap(({ name, after }) => [name, after ?? '']))
  const begin = () => context.engine.pages({ kind: 'refTable', changes })
  const rowsIn = (page: Uint8Array<ArrayBuffer>) => [page]
  return ofAllRows(context, { begin, rowsIn, capacity: PAGE, options }, joined)
}

function expectOk([error]: readonly RefPlanError[]): void {
  if (error) throw new PacklensError('BAD_INPUT', error.message, { subject: error.name })
}

/** Returns a text with one character for each byte. */
function bytesAsText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += LATIN1_STEP) {
    text += String.fromCharCode(...bytes.subarray(at, at + LATIN1_STEP))
  }
  return text
}

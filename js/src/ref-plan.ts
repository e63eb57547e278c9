/** What would happen if refs were changed together: all that git would refuse. */
import type { Engine } from './engine.js'
import { isPacklensError, PacklensError } from './errors.js'
import { checkOptions } from './options/rules.js'
import { READ } from './options/tables.js'
import { eachPage, joined } from './pages.js'
import type { Refs } from './refs.js'
import type { AskOptions } from './session.js'
import { encodeSpecs } from './specs.js'
import type { Availability, Ref } from './types.js'

/** One of the changes that {@link Refs.plan} looks at. */
export type RefChange =
  | { readonly type: 'create'; readonly name: string; readonly oid: string }
  | {
      readonly type: 'update'
      readonly name: string
      readonly oid: string
      /** What it must point at now; `null` if it must not be there. Default: anything. */
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
  /** The ref that it is about. */
  readonly name: string
  readonly code:
    | Exclude<Availability, { ok: true }>['code']
    | 'already-exists'
    | 'not-found'
    | 'unexpected-value'
    | 'multiple-updates'
    | 'missing-object'
  /** What git says. */
  readonly message: string
}

/** What a ref points at before and after; `null` if it is not there. */
export interface RefMove {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** What {@link Refs.plan} takes. */
export interface PlanOptions extends AskOptions {
  /**
   * Refs that are deleted are gone before others are created, as with one transaction
   * of git's after the other. Default: no, they are in the way, as within one.
   */
  readonly deleteFirst?: boolean | undefined
}

/** Refs that each worktree has of its own, which git never packs. */
const OWN = /^refs\/(bisect|worktree|rewritten)\//

const HEADER = '# pack-refs with: peeled fully-peeled sorted \n'

const LATIN1_STEP = 4096

const PAGE = 1 << 20

/** What would happen. */
export class RefPlan {
  /** All that git would refuse, in the order of the changes. */
  readonly errors: readonly RefPlanError[]
  /** What becomes of each ref that is changed. */
  readonly moves: readonly RefMove[]
  readonly #refs: Refs
  readonly #engine: Engine
  readonly #peeled: ReadonlyMap<string, string>

  /** @internal */
  constructor(
    refs: Refs,
    engine: Engine,
    errors: readonly RefPlanError[],
    moves: readonly RefMove[],
    peeled: ReadonlyMap<string, string>,
  ) {
    this.#refs = refs
    this.#engine = engine
    this.errors = errors
    this.moves = moves
    this.#peeled = peeled
  }

  get ok(): boolean {
    return this.errors.length === 0
  }

  /**
   * Returns a `packed-refs` with all refs as they would be then. Symbolic and broken
   * refs are not in it, nor those of one worktree, which git does not pack.
   *
   * @throws `BAD_INPUT` if git would refuse the plan
   */
  async toPackedRefs(options: AskOptions = {}): Promise<Uint8Array> {
    checkOptions('plan.toPackedRefs', options, READ)
    this.#expectOk()
    const lines = new Map<string, string>()
    const line = (name: string, oid: string, peeled: string | null) => {
      lines.set(name, `${oid} ${name}\n${peeled === null ? '' : `^${peeled}\n`}`)
    }
    for await (const ref of this.#refs.list({ peel: true, prefix: 'refs/', ...options })) {
      if (ref.oid === null || ref.target !== null || OWN.test(ref.name)) continue
      line(bytesAsText(ref.nameBytes), ref.oid, ref.peeled)
    }
    const encoder = new TextEncoder()
    for (const { name, after } of this.moves) {
      const text = bytesAsText(encoder.encode(name))
      if (after === null || !name.startsWith('refs/') || OWN.test(name)) lines.delete(text)
      else line(text, after, this.#peeled.get(after) ?? null)
    }
    // Texts of a character a byte are in the order of their bytes.
    const text =
      HEADER +
      [...lines.keys()]
        .sort()
        .map((name) => lines.get(name))
        .join('')
    return Uint8Array.from(text, (byte) => byte.charCodeAt(0))
  }

  /**
   * Returns a reftable with all refs as they would be then, symbolic ones and `HEAD`
   * as well, as git would write it in one transaction, the first. Broken refs are not
   * in it, nor reflogs, nor what a linked worktree has of its own.
   *
   * @throws `BAD_INPUT` if git would refuse the plan
   */
  async toReftable(options: AskOptions = {}): Promise<Uint8Array> {
    checkOptions('plan.toReftable', options, READ)
    this.#expectOk()
    const changes = encodeSpecs(this.moves.flatMap(({ name, after }) => [name, after ?? '']))
    const pages = this.#engine.pages({ kind: 'refTable', changes })
    const parts: Uint8Array<ArrayBuffer>[] = []
    for await (const page of eachPage(pages, PAGE, options)) parts.push(page)
    return joined(parts)
  }

  #expectOk(): void {
    const [error] = this.errors
    if (error) throw new PacklensError('BAD_INPUT', error.message, { subject: error.name })
  }
}

/** Looks what would become of refs. */
export class RefPlanner {
  readonly #refs: Refs
  readonly #engine: Engine
  readonly #options: PlanOptions
  /** What each look at a ref is asked with. */
  readonly #reading: AskOptions
  readonly #errors: RefPlanError[] = []
  readonly #moves = new Map<string, { before: string | null; after: string | null }>()
  readonly #peeled = new Map<string, string>()
  /** Names that are not there, and must fit. */
  readonly #created: string[] = []
  readonly #freed: string[] = []

  constructor(refs: Refs, engine: Engine, options: PlanOptions) {
    this.#refs = refs
    this.#engine = engine
    this.#options = options
    this.#reading = { signal: options.signal }
  }

  async plan(changes: Iterable<RefChange>): Promise<RefPlan> {
    const all = [...changes]
    for (const change of all) await this.#look(change)
    await this.#checkNames()
    const moves = [...this.#moves].map(([name, move]) => ({ name, ...move }))
    return new RefPlan(this.#refs, this.#engine, this.#errors, moves, this.#peeled)
  }

  async #look(change: RefChange): Promise<void> {
    const ref = await this.#follow(change.name)
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
      const target = await this.#follow(change.to)
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
    await this.#checkObject(change.name, change.oid)
    this.#move(change.name, ref.name, before, change.oid)
  }

  /** Returns the ref that a symbolic one leads to, which is the one that changes. */
  async #follow(name: string): Promise<Pick<Ref, 'name' | 'oid'>> {
    let last = name
    let ref = await this.#refs.get(name, this.#reading)
    const { oid = null } = ref ?? {}
    for (let hops = 0; ref?.target != null && hops < 5; hops++) {
      last = ref.target
      ref = await this.#refs.get(last, this.#reading)
    }
    return { name: last, oid }
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
    // Within one transaction git looks at those as well that are to be deleted.
    const isLocked = after !== null || !this.#options.deleteFirst
    if (before === null && isLocked) this.#created.push(name)
  }

  async #checkObject(name: string, oid: string): Promise<void> {
    if (!/^[0-9a-f]+$/.test(oid) || oid.length !== 2 * this.#engine.oidLength) {
      throw new PacklensError('BAD_INPUT', 'no object id', { subject: oid })
    }
    if (this.#peeled.has(oid)) return
    try {
      const peeled = await this.#engine.resolve(`${oid}^{}`, this.#reading)
      if (peeled !== oid) this.#peeled.set(oid, peeled)
    } catch (error) {
      if (!isPacklensError(error, 'NOT_FOUND', 'AMBIGUOUS')) throw error
      const message = `trying to write ref '${name}' with nonexistent object ${oid}`
      this.#errors.push({ name, code: 'missing-object', message })
    }
  }

  /** Names that are new must fit beside those that are there, and to each other. */
  async #checkNames(): Promise<void> {
    const found = await this.#refs.checkAvailable(this.#created, {
      deleting: this.#freed,
      extra: this.#moves.keys(),
      ...this.#reading,
    })
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

/** Returns a text with a character a byte. */
function bytesAsText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += LATIN1_STEP) {
    text += String.fromCharCode(...bytes.subarray(at, at + LATIN1_STEP))
  }
  return text
}

/** Reading objects one at a time. */

import type { Engine, InfoAnswer } from './engine.js'
import { PacklensError } from './errors.js'
import { decodeFrame } from './frame.js'
import type { MaybePromise } from './maybe.js'
import { whenReady } from './maybe.js'
import { makeObject } from './objects/object.js'
import { checkArgument, checkOptions, text } from './options/rules.js'
import { READ } from './options/tables.js'
import type { AbortSignal } from './platform-types.js'
import type { AskOptions, QuestionOptions } from './session.js'
import { inOneTurn } from './session.js'
import { expectSync } from './task.js'
import type {
  BlobObject,
  CommitObject,
  GitObject,
  ObjectInfo,
  ObjectOf,
  ObjectType,
  TagObject,
  TreeObject,
} from './types.js'

/** What can be given to every method that may take a while. */
export interface ReadOptions extends AskOptions {
  /** Ends the call early, with an error of code `ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

/** The part of {@link Repository} that reads one object. */
export class ObjectReader {
  readonly #engine: Engine

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Reads an object: what it is and its content, in one buffer.
   *
   * ```ts
   * const readme = await repo.read('HEAD:README.md')
   * console.log(readme.type, readme.size, new TextDecoder().decode(readme.data))
   * ```
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  async read(spec: string, options: ReadOptions = {}): Promise<GitObject> {
    checkSpec('read', spec, options)
    return this.#read(spec, undefined, options)
  }

  /** As {@link Repository.read}, without a promise. */
  readSync(spec: string, options: ReadOptions = {}): GitObject {
    checkSpec('readSync', spec, options)
    return this.#readSync(spec, undefined, options)
  }

  /**
   * Reads a commit: the one that `spec` stands for, or the one that the tag leads to.
   *
   * ```ts
   * const { author, message, parents } = await repo.readCommit('v1.0')
   * ```
   *
   * @throws `WRONG_TYPE` if it leads to no commit; otherwise as {@link Repository.read}
   */
  async readCommit(spec: string, options: ReadOptions = {}): Promise<CommitObject> {
    checkSpec('readCommit', spec, options)
    return this.#read(spec, 'commit', options)
  }

  /** As {@link Repository.readCommit}, without a promise. */
  readCommitSync(spec: string, options: ReadOptions = {}): CommitObject {
    checkSpec('readCommitSync', spec, options)
    return this.#readSync(spec, 'commit', options)
  }

  /**
   * Reads a tree: the one that `spec` stands for, or that of the commit or tag.
   *
   * ```ts
   * const { entries } = await repo.readTree('HEAD')
   * ```
   *
   * @throws `WRONG_TYPE` if it leads to no tree; otherwise as {@link Repository.read}
   */
  async readTree(spec: string, options: ReadOptions = {}): Promise<TreeObject> {
    checkSpec('readTree', spec, options)
    return this.#read(spec, 'tree', options)
  }

  /** As {@link Repository.readTree}, without a promise. */
  readTreeSync(spec: string, options: ReadOptions = {}): TreeObject {
    checkSpec('readTreeSync', spec, options)
    return this.#readSync(spec, 'tree', options)
  }

  /**
   * Reads a blob: the one that `spec` stands for, or the one that the tag leads to.
   *
   * @throws `WRONG_TYPE` if it leads to no blob; otherwise as {@link Repository.read}
   */
  async readBlob(spec: string, options: ReadOptions = {}): Promise<BlobObject> {
    checkSpec('readBlob', spec, options)
    return this.#read(spec, 'blob', options)
  }

  /** As {@link Repository.readBlob}, without a promise. */
  readBlobSync(spec: string, options: ReadOptions = {}): BlobObject {
    checkSpec('readBlobSync', spec, options)
    return this.#readSync(spec, 'blob', options)
  }

  /**
   * Reads an annotated tag.
   *
   * @throws `WRONG_TYPE` if `spec` stands for another object; otherwise as {@link Repository.read}
   */
  async readTag(spec: string, options: ReadOptions = {}): Promise<TagObject> {
    checkSpec('readTag', spec, options)
    return this.#read(spec, 'tag', options)
  }

  /** As {@link Repository.readTag}, without a promise. */
  readTagSync(spec: string, options: ReadOptions = {}): TagObject {
    checkSpec('readTagSync', spec, options)
    return this.#readSync(spec, 'tag', options)
  }

  /** As {@link Repository.read}, but `null` if there is no such object. */
  async find(spec: string, options: ReadOptions = {}): Promise<GitObject | null> {
    checkSpec('find', spec, options)
    try {
      return await this.#read(spec, undefined, options)
    } catch (error) {
      return nullIfNotFound(error)
    }
  }

  /** As {@link Repository.find}, without a promise. */
  findSync(spec: string, options: ReadOptions = {}): GitObject | null {
    checkSpec('findSync', spec, options)
    try {
      return this.#readSync(spec, undefined, options)
    } catch (error) {
      return nullIfNotFound(error)
    }
  }

  /**
   * Tells what is known of an object without inflating its content.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`
   */
  async info(spec: string, options: ReadOptions = {}): Promise<ObjectInfo> {
    checkSpec('info', spec, options)
    return this.#info(spec, options)
  }

  /** As {@link Repository.info}, without a promise. */
  infoSync(spec: string, options: ReadOptions = {}): ObjectInfo {
    checkSpec('infoSync', spec, options)
    this.#engine.expectSync()
    return expectSync(this.#info(spec, inOneTurn(options)))
  }

  /**
   * Returns the id of the object that a revision stands for. A whole id stands
   * for itself, also if there is no such object.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `UNSUPPORTED` for dates that depend on the time it is now
   */
  async resolve(spec: string, options: ReadOptions = {}): Promise<string> {
    checkSpec('resolve', spec, options)
    return this.#engine.resolve(spec, options)
  }

  /** As {@link Repository.resolve}, without a promise. */
  resolveSync(spec: string, options: ReadOptions = {}): string {
    checkSpec('resolveSync', spec, options)
    this.#engine.expectSync()
    return expectSync(this.#engine.resolve(spec, inOneTurn(options)))
  }

  #read<T extends ObjectType = ObjectType>(
    spec: string,
    type: T | undefined,
    options: QuestionOptions,
  ): MaybePromise<ObjectOf<T>> {
    // The core gives no object of another type.
    return whenReady(this.#engine.read(spec, type, options), (row) => objectIn(row) as ObjectOf<T>)
  }

  #readSync<T extends ObjectType = ObjectType>(
    spec: string,
    type: T | undefined,
    options: ReadOptions,
  ): ObjectOf<T> {
    this.#engine.expectSync()
    return expectSync(this.#read(spec, type, inOneTurn(options)))
  }

  #info(spec: string, options: QuestionOptions): MaybePromise<ObjectInfo> {
    return whenReady(this.#engine.info(spec, options), infoOf)
  }
}

function checkSpec(call: string, spec: string, options: ReadOptions): void {
  checkArgument(call, 'the revision', spec, text)
  checkOptions(call, options, READ)
}

function objectIn(row: ArrayBuffer): GitObject {
  return makeObject(decodeFrame(row))
}

function infoOf({ row, pack }: InfoAnswer): ObjectInfo {
  const { type, oid, size, deltaDepth, offset, diskSize = 0, deltaBase = null } = decodeFrame(row)
  return { type, oid, size, diskSize, deltaDepth, deltaBase, pack, offset }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof PacklensError && error.code === 'NOT_FOUND') return null
  throw error
}

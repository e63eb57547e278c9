/** Reads objects one at a time, with promises. */

import type {
  BlobObject,
  CommitObject,
  GitObject,
  ObjectInfo,
  TagObject,
  TreeObject,
} from '../base/types.js'
import type { ReadOptions } from '../questions/reading.js'
import { find, info, read, resolve } from '../questions/reading.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { callWhenFull, FullCaller } from './full-caller.js'
import type { FullCalls } from './full-calls.js'

// Its declaration has the calls, and not how they are made.
const Calls = FullCaller as unknown as new (...args: unknown[]) => FullCalls

/** The part of {@link Repository} that reads one object. */
export class ObjectReader extends Calls {
  readonly #context: RepositoryContext

  /** @internal */
  constructor(context: RepositoryContext) {
    super(context, callWhenFull)
    this.#context = context
  }

  /**
   * Reads an object: its type, id and content, in one buffer.
   *
   * ```ts
   * const readme = await repo.read('HEAD:README.md')
   * if (readme.type === 'blob') console.log(readme.size, readme.text())
   * ```
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  async read(spec: string, options: ReadOptions = {}): Promise<GitObject> {
    return read(this.#context, 'read', spec, options)
  }

  /**
   * Reads a commit. If `spec` stands for a tag, the tag is peeled.
   *
   * ```ts
   * const { author, message, parents } = await repo.readCommit('v1.0')
   * ```
   *
   * @throws `WRONG_TYPE` if `spec` is no commit-ish; otherwise as {@link Repository.read}
   */
  async readCommit(spec: string, options: ReadOptions = {}): Promise<CommitObject> {
    return read(this.#context, 'readCommit', spec, options, 'commit')
  }

  /**
   * Reads a tree. If `spec` stands for a commit or tag, its tree is read.
   *
   * ```ts
   * const { entries } = await repo.readTree('HEAD')
   * ```
   *
   * @throws `WRONG_TYPE` if `spec` is no tree-ish; otherwise as {@link Repository.read}
   */
  async readTree(spec: string, options: ReadOptions = {}): Promise<TreeObject> {
    return read(this.#context, 'readTree', spec, options, 'tree')
  }

  /**
   * Reads a blob. If `spec` stands for a tag, the tag is peeled.
   *
   * @throws `WRONG_TYPE` if `spec` does not peel to a blob; otherwise as {@link Repository.read}
   */
  async readBlob(spec: string, options: ReadOptions = {}): Promise<BlobObject> {
    return read(this.#context, 'readBlob', spec, options, 'blob')
  }

  /**
   * Reads an annotated tag.
   *
   * @throws `WRONG_TYPE` if `spec` stands for another object; otherwise as {@link Repository.read}
   */
  async readTag(spec: string, options: ReadOptions = {}): Promise<TagObject> {
    return read(this.#context, 'readTag', spec, options, 'tag')
  }

  /** Reads an object as {@link Repository.read} does; `null` if it does not exist. */
  async find(spec: string, options: ReadOptions = {}): Promise<GitObject | null> {
    return find(this.#context, spec, options)
  }

  /**
   * Returns the type, size and storage of an object, without inflating its content.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`
   */
  async info(spec: string, options: ReadOptions = {}): Promise<ObjectInfo> {
    return info(this.#context, spec, options)
  }

  /**
   * Returns the id of the object that a revision stands for. A full id is returned
   * unchanged, even if the object does not exist.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `UNSUPPORTED` for dates relative to the current time
   */
  async resolve(spec: string, options: ReadOptions = {}): Promise<string> {
    return resolve(this.#context, spec, options)
  }
}

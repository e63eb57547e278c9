/** Reading objects one at a time, with promises. */
import type { Asker } from './asker.js'
import type { ReadOptions } from './reading.js'
import { find, info, read, resolve } from './reading.js'
import type {
  BlobObject,
  CommitObject,
  GitObject,
  ObjectInfo,
  TagObject,
  TreeObject,
} from './types.js'

/** The part of {@link Repository} that reads one object. */
export class ObjectReader {
  readonly #asker: Asker

  /** @internal */
  constructor(asker: Asker) {
    this.#asker = asker
  }

  /**
   * Reads an object: what it is and its content, in one buffer.
   *
   * ```ts
   * const readme = await repo.read('HEAD:README.md')
   * if (readme.type === 'blob') console.log(readme.size, readme.text())
   * ```
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  async read(spec: string, options: ReadOptions = {}): Promise<GitObject> {
    return read(this.#asker, 'read', spec, options)
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
    return read(this.#asker, 'readCommit', spec, options, 'commit')
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
    return read(this.#asker, 'readTree', spec, options, 'tree')
  }

  /**
   * Reads a blob: the one that `spec` stands for, or the one that the tag leads to.
   *
   * @throws `WRONG_TYPE` if it leads to no blob; otherwise as {@link Repository.read}
   */
  async readBlob(spec: string, options: ReadOptions = {}): Promise<BlobObject> {
    return read(this.#asker, 'readBlob', spec, options, 'blob')
  }

  /**
   * Reads an annotated tag.
   *
   * @throws `WRONG_TYPE` if `spec` stands for another object; otherwise as {@link Repository.read}
   */
  async readTag(spec: string, options: ReadOptions = {}): Promise<TagObject> {
    return read(this.#asker, 'readTag', spec, options, 'tag')
  }

  /** As {@link Repository.read}, but `null` if there is no such object. */
  async find(spec: string, options: ReadOptions = {}): Promise<GitObject | null> {
    return find(this.#asker, spec, options)
  }

  /**
   * Tells what is known of an object without inflating its content.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`
   */
  async info(spec: string, options: ReadOptions = {}): Promise<ObjectInfo> {
    return info(this.#asker, spec, options)
  }

  /**
   * Returns the id of the object that a revision stands for. A whole id stands
   * for itself, also if there is no such object.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `UNSUPPORTED` for dates that depend on the time it is now
   */
  async resolve(spec: string, options: ReadOptions = {}): Promise<string> {
    return resolve(this.#asker, spec, options)
  }
}

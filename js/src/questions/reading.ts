/** Reads objects one at a time. */

import { isPacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type { AbortSignal } from '../base/platform-types.js'
import type { GitObject, ObjectInfo, ObjectOf, ObjectType } from '../base/types.js'
import type { InfoAnswer } from '../engine/engine.js'
import { decodeFrame } from '../objects/frame.js'
import { makeObject } from '../objects/object.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { READ } from '../options/tables.js'
import type { AskOptions } from '../session/session.js'
import type { RepositoryContext } from './repository-context.js'
import { questionOptions } from './repository-context.js'

/** The options of every method that may take a while. */
export interface ReadOptions extends AskOptions {
  /** Aborts the call with an error of code `ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

/** The option of calls that compare files. */
export interface AttributesOption {
  /**
   * The revision whose `.gitattributes` say which files are binary (`binary`, `-diff`) or text
   * (`diff`), and in which language the headings of hunks are found (`diff=python`); empty for
   * `info/attributes` alone, which counts besides. Default: attributes are not read.
   */
  readonly attributes?: string | undefined
}

/** Which paths count; both options together select what either does. */
export interface PathOptions {
  /**
   * Paths of files, or of directories with everything below them, from the root of the tree. No
   * character is special. Default: all.
   */
  readonly path?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined
  /**
   * Paths as git takes them on the command line, with wildcards and magic: `*.ts`,
   * `:(glob,icase)docs/**`, `:!vendor`. Default: all.
   */
  readonly pathspec?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined
}

/** Reads the object that `spec` stands for, peeled to `type` if that is given. */
export function read<T extends ObjectType = ObjectType>(
  context: RepositoryContext,
  call: string,
  spec: string,
  options: ReadOptions,
  type?: T,
): MaybePromise<ObjectOf<T>> {
  checkSpec(call, spec, options)
  const row = context.engine.read(spec, type, questionOptions(context, options))
  // The core returns only objects of this type.
  return whenReady(row, objectIn) as MaybePromise<ObjectOf<T>>
}

/** Reads as `read` does; `null` if the object does not exist. */
export function find(
  context: RepositoryContext,
  spec: string,
  options: ReadOptions,
): MaybePromise<GitObject | null> {
  try {
    const found = read(context, 'find', spec, options)
    return isPromise(found) ? found.catch(nullIfNotFound) : found
  } catch (error) {
    return nullIfNotFound(error)
  }
}

/** Returns the type, size and storage of an object. */
export function info(
  context: RepositoryContext,
  spec: string,
  options: ReadOptions,
): MaybePromise<ObjectInfo> {
  checkSpec('info', spec, options)
  return whenReady(context.engine.info(spec, questionOptions(context, options)), infoOf)
}

/** Returns the id of the object that a revision stands for. */
export function resolve(
  context: RepositoryContext,
  spec: string,
  options: ReadOptions,
): MaybePromise<string> {
  checkSpec('resolve', spec, options)
  return context.engine.resolve(spec, questionOptions(context, options))
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
  if (isPacklensError(error, 'NOT_FOUND')) return null
  throw error
}

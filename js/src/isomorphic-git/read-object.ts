/** Reads an object in one of isomorphic-git's formats. */
import type { GitObject, ObjectRow, RandomAccess, Repository } from '../index.js'
import { PacklensError, storeOf } from '../index.js'
import { answered } from './calls.js'
import { InternalError } from './errors.js'
import type { FileParameters } from './objects.js'
import { objectAt } from './objects.js'
import type { Place } from './parameters.js'
import type { CommitObject, TagObject, TreeObject } from './shapes.js'
import { commitOf, tagOf, treeOf } from './shapes.js'
import { textOf } from './text.js'

/** The parameters of {@link readObject}. */
export interface ReadObjectParameters extends FileParameters {
  readonly format?: 'deflated' | 'wrapped' | 'content' | 'parsed' | undefined
  /** Makes text of a parsed blob: `'utf8'`, `'latin1'`, `'hex'` or `'base64'`. */
  readonly encoding?: string | undefined
}

/** What {@link readObject} returns. */
export interface ReadObjectResult {
  oid: string
  type: 'deflated' | 'wrapped' | 'blob' | 'commit' | 'tree' | 'tag'
  /** The requested format; packed objects are `'content'` instead of stored forms. */
  format: 'deflated' | 'wrapped' | 'content' | 'parsed'
  // biome-ignore lint/suspicious/noExplicitAny: depends on type and format, as in isomorphic-git
  object: any
  /** The path of the pack or loose object; the empty tree needs none. */
  source?: string
}

const FORMATS = ['deflated', 'wrapped', 'content', 'parsed']

/** Reads an object; packed objects have no stored form of their own. */
export function readObject(parameters: ReadObjectParameters): Promise<ReadObjectResult> {
  return answered('readObject', parameters, ['oid'], async (repo, place) => {
    const { format = 'parsed', encoding } = parameters
    if (!FORMATS.includes(format)) throw new InternalError(`invalid requested format "${format}"`)
    const object = await objectAt(repo, parameters)
    const { oid, type, data } = object
    const pack = await packOf(repo, oid)
    const loose = `objects/${oid.slice(0, 2)}/${oid.slice(2)}`
    if (format === 'deflated' || format === 'wrapped') {
      const deflated = await fileOf(place, loose)
      const source = deflated && { source: loose }
      if (deflated && format === 'deflated') {
        return { oid, type: format, format, object: deflated, ...source }
      }
      if (deflated || pack === undefined) {
        return { oid, type: 'wrapped', format: 'wrapped', object: wrapped(object), ...source }
      }
    }
    const source = pack ?? ((await repo.info(oid)).diskSize ? loose : null)
    const answer = { oid, type, ...(source !== null && { source }) }
    if (format !== 'parsed') return { ...answer, format: 'content', object: data }
    const isBytes = type === 'blob' && !encoding
    return { ...answer, format: isBytes ? 'content' : format, object: parsed(object, encoding) }
  })
}

/** Returns the path of an object's pack; `info` would read the order of the whole pack as well. */
async function packOf(repo: Repository, oid: string): Promise<string | undefined> {
  const batch = await repo.readMany([oid], { fields: 'size', size: 128 })
  const [row] = batch
  return batch.pathOf((row as ObjectRow).pack ?? -1)
}

function parsed(
  object: GitObject,
  encoding: string | undefined,
): CommitObject | TreeObject | TagObject | Uint8Array | string {
  switch (object.type) {
    case 'commit':
      return commitOf(object)
    case 'tree':
      return treeOf(object)
    case 'tag':
      return tagOf(object)
    case 'blob':
      return encoding ? encoded(object.data, encoding) : object.data
  }
}

/** Returns a file of the git directory, as it is stored. */
async function fileOf(place: Place, path: string): Promise<Uint8Array | null> {
  const store = await storeOf(place)
  try {
    const file = (await store.get(path)) as RandomAccess | null
    return file && new Uint8Array(await file.read(0, file.size))
  } finally {
    store.close()
  }
}

function wrapped({ type, size, data }: GitObject): Uint8Array {
  const header = new TextEncoder().encode(`${type} ${size}\0`)
  const whole = new Uint8Array(header.length + data.length)
  whole.set(header)
  whole.set(data, header.length)
  return whole
}

function encoded(data: Uint8Array, encoding: string): string {
  const latin1 = () => Array.from(data, (byte) => String.fromCharCode(byte)).join('')
  switch (encoding.toLowerCase()) {
    case 'utf8':
    case 'utf-8':
      return textOf(data)
    case 'latin1':
    case 'binary':
      return latin1()
    case 'hex':
      return Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')
    case 'base64':
      return btoa(latin1())
    default: {
      const what = "`encoding` must be 'utf8', 'latin1', 'hex' or 'base64'"
      throw new PacklensError('BAD_INPUT', what, { subject: encoding })
    }
  }
}

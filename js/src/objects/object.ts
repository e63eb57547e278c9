/** The objects of the public API; fields are decoded on access. */

import { PacklensError } from '../base/errors.js'
import { hex } from '../base/hex.js'
import type {
  BlobJson,
  BlobObject,
  CommitJson,
  CommitObject,
  GitObject,
  Header,
  ObjectBase,
  ObjectType,
  Signature,
  TagJson,
  TagObject,
  TreeEntry,
  TreeJson,
  TreeObject,
} from '../base/types.js'
import { fileText, text } from '../base/utf8.js'
import { EntryOfTree } from './entry.js'
import {
  decodeHeaders,
  findHeader,
  firstHeader,
  headersAfterFirst,
  messageStart,
} from './headers.js'
import { INSPECT, shown } from './plain.js'
import { decodeSignature } from './signature.js'
import { decoderOf } from './text-encoding.js'

type ObjectData = Pick<ObjectBase, 'oid' | 'size' | 'data' | 'deltaDepth'>

/** The data that an object is made from. */
export interface ObjectParts extends ObjectData {
  readonly type: ObjectType
}

export function makeObject(parts: ObjectParts): GitObject {
  switch (parts.type) {
    case 'blob':
      return new Blob_(parts)
    case 'tree':
      return new Tree(parts)
    case 'commit':
      return new Commit(parts)
    case 'tag':
      return new Tag(parts)
  }
}

abstract class Base {
  declare readonly oid: string
  declare readonly size: number
  declare readonly data: Uint8Array<ArrayBuffer>
  declare readonly deltaDepth: number

  constructor({ oid, size, data, deltaDepth }: ObjectData) {
    this.oid = oid
    this.size = size
    this.data = data
    this.deltaDepth = deltaDepth
  }

  abstract toJSON(): object

  [INSPECT](): object {
    return shown(this)
  }

  protected corrupt(what: string): PacklensError {
    return new PacklensError('CORRUPT', what, { subject: this.oid })
  }
}

class Blob_ extends Base implements BlobObject {
  readonly type = 'blob'

  text(): string {
    return fileText(this.data)
  }

  toJSON(): BlobJson {
    const { type, oid, size } = this
    return { type, oid, size }
  }
}

class Tree extends Base implements TreeObject {
  readonly type = 'tree'
  #entries: TreeEntry[] | undefined

  get entries(): readonly TreeEntry[] {
    this.#entries ??= this.#decode()
    return this.#entries
  }

  toJSON(): TreeJson {
    const { type, oid, size, entries } = this
    return { type, oid, size, entries: entries.map((entry) => entry.toJSON()) }
  }

  #decode(): TreeEntry[] {
    const { data } = this
    const idLength = this.oid.length / 2
    const entries: TreeEntry[] = []
    for (let at = 0; at < data.length; ) {
      const space = data.indexOf(32, at)
      const nul = data.indexOf(0, space)
      const end = nul + 1 + idLength
      const digits = text(data.subarray(at, Math.max(space, at)))
      const whole = space > at && nul > space + 1 && end <= data.length
      if (!whole || !/^[0-7]{1,11}$/.test(digits)) throw this.corrupt('a tree entry is damaged')
      const mode = Number.parseInt(digits, 8)
      const nameBytes = data.subarray(space + 1, nul)
      const oid = hex(data.subarray(nul + 1, end))
      entries.push(new EntryOfTree(mode, oid, text(nameBytes), nameBytes))
      at = end
    }
    return entries
  }
}

abstract class WithHeaders extends Base {
  #messageStart: number | undefined
  #headers: readonly Header[] | undefined

  get headers(): readonly Header[] {
    this.#headers ??= decodeHeaders(this.data)
    return this.#headers
  }

  get messageBytes(): Uint8Array {
    this.#messageStart ??= messageStart(this.data)
    return this.data.subarray(this.#messageStart)
  }

  get message(): string {
    return this.decodeText(this.messageBytes)
  }

  /** Decodes text by the object's `encoding` header. */
  protected decodeText(bytes: Uint8Array): string {
    return decoderOf(this.find('encoding'))(bytes)
  }

  protected find(key: string): Uint8Array | undefined {
    return findHeader(this.data, key)
  }

  protected signature(key: string): Signature | null {
    const raw = this.find(key)
    return raw ? decodeSignature(raw, (bytes) => this.decodeText(bytes)) : null
  }
}

class Commit extends WithHeaders implements CommitObject {
  readonly type = 'commit'

  get tree(): string {
    const value = firstHeader(this.data, 'tree')
    if (!value) throw this.corrupt('a commit must begin with its tree')
    return text(value)
  }

  get parents(): readonly string[] {
    return headersAfterFirst(this.data, 'parent').map(text)
  }

  get author(): Signature {
    return this.signature('author') ?? decodeSignature(new Uint8Array())
  }

  get committer(): Signature {
    return this.signature('committer') ?? decodeSignature(new Uint8Array())
  }

  get encoding(): string | null {
    const value = this.find('encoding')
    return value ? text(value) : null
  }

  get gpgsig(): string | null {
    const value = this.find(this.oid.length === 40 ? 'gpgsig' : 'gpgsig-sha256')
    return value ? text(value) : null
  }

  toJSON(): CommitJson {
    const { type, oid, size, tree, parents, encoding, gpgsig, message } = this
    const [author, committer] = [this.author.toJSON(), this.committer.toJSON()]
    return { type, oid, size, tree, parents, author, committer, encoding, gpgsig, message }
  }
}

class Tag extends WithHeaders implements TagObject {
  readonly type = 'tag'

  get target(): string {
    return this.#required('object')
  }

  get targetType(): ObjectType {
    return this.#required('type') as ObjectType
  }

  get name(): string {
    return this.#required('tag')
  }

  get tagger(): Signature | null {
    return this.signature('tagger')
  }

  toJSON(): TagJson {
    const { type, oid, size, target, targetType, name, message } = this
    const tagger = this.tagger?.toJSON() ?? null
    return { type, oid, size, target, targetType, name, tagger, message }
  }

  #required(key: string): string {
    const value = this.find(key)
    if (!value) throw this.corrupt('a tag must name its object, type and name')
    return text(value)
  }
}

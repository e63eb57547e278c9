import type { PacklensError } from './errors.js'

export type * from './change-types.js'
export type * from './config-types.js'
export type * from './index-file-types.js'
export type * from './path-types.js'
export type * from './status-types.js'
export type * from './submodule-types.js'

/** The four types of objects. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** The person and date of an `author`, `committer` or `tagger` header. */
export interface Signature {
  /** The name as text; its bytes are in `raw`. */
  readonly name: string
  readonly email: string
  /** Seconds since 1970; `null` if the header has none. Inexact beyond 2^53. */
  readonly seconds: number | null
  /** Minutes east of Greenwich, with git's sign: `+0200` is 120. */
  readonly offset: number
  /** The whole value of the header, unparsed. */
  readonly raw: Uint8Array
  /** Returns the fields without bytes: dates stay seconds and minutes. */
  toJSON(): SignatureJson
}

/** A signature as plain data. */
export type SignatureJson = Pick<Signature, 'name' | 'email' | 'seconds' | 'offset'>

/** The name and the address of a person, such as those of a {@link Signature}. */
export interface Contact {
  readonly name: string
  readonly email: string
}

/** Returns the name and the address by which a person wants to be known. */
export type Mailmap = (contact: Contact) => Contact

/** A note about an object. */
export interface Note {
  /** The id of the object. */
  readonly object: string
  /** The id of the blob that is the note; of several the first one. */
  readonly blob: string
  /**
   * The ids of all blobs, several if a tree has a note in a directory and another one outside:
   * {@link Repository.note} joins these, as git does, into a blob that need not exist.
   */
  readonly blobs: readonly string[]
}

/** The meaning of a mode by name; the bits are in `mode`. */
export interface ModeNames {
  /** A folder. */
  readonly isTree: boolean
  /** A file or a symbolic link. */
  readonly isBlob: boolean
  /** A commit of another repository. */
  readonly isSubmodule: boolean
  /** A blob whose content is the path that the link leads to. */
  readonly isSymlink: boolean
  /** A file that its owner may run. */
  readonly isExecutable: boolean
}

/** One entry of a tree. */
export interface TreeEntry extends ModeNames {
  /** The mode in stored form, such as `0o100644`. */
  readonly mode: number
  /** The object type by the mode; `commit` for a submodule. */
  readonly type: 'blob' | 'tree' | 'commit'
  readonly oid: string
  /** The name as text; names need not be UTF-8, see `nameBytes`. */
  readonly name: string
  readonly nameBytes: Uint8Array
  /** Returns the fields without bytes. */
  toJSON(): TreeEntryJson
}

/** An entry of a tree as plain data. */
export type TreeEntryJson = Pick<TreeEntry, 'mode' | 'type' | 'oid' | 'name'>

/** An entry of a directory, and the commit that last changed it: {@link Repository.lastModified}. */
export interface ModifiedEntry extends TreeEntry {
  /** The id of the commit. */
  readonly commit: string
  /** Whether `exclude` ended the search at the commit: an older one may have changed the entry. */
  readonly isCut: boolean
  /** Returns the fields without bytes. */
  toJSON(): ModifiedEntryJson
}

/** Such an entry as plain data. */
export type ModifiedEntryJson = TreeEntryJson & Pick<ModifiedEntry, 'commit' | 'isCut'>

/** Lines of a file, and the commit that last changed them: {@link Repository.blame}. */
export interface BlamedLines {
  /** The number of the first line, from 1, and how many lines follow each other. */
  readonly start: number
  readonly count: number
  /** The id of the commit. */
  readonly commit: string
  /** The number of the first line in the file of the commit, and the path of that file. */
  readonly oldStart: number
  readonly path: string
  /** Whether lines may be older than the commit: it has no known parents, or history was cut. */
  readonly isBoundary: boolean
  /** Whether history was cut at the commit, by a range, `exclude` or `since`. */
  readonly isCut: boolean
  /** Whether an ignored commit changed the lines, which were guessed to come from similar ones. */
  readonly isGuessed: boolean
  /** Whether the commit is an ignored one, because no older lines are similar. */
  readonly isIgnored: boolean
  /** The parent that the file was compared with, and its path there; `null` if there is none. */
  readonly previous: { readonly commit: string; readonly path: string } | null
  readonly pathBytes: Uint8Array
  readonly previousPathBytes: Uint8Array | null
  /** Returns the fields without bytes. */
  toJSON(): BlamedLinesJson
}

/** Such lines as plain data. */
export type BlamedLinesJson = Omit<BlamedLines, 'pathBytes' | 'previousPathBytes' | 'toJSON'>

/** What a search finds: {@link Repository.grep}. */
export interface GrepHit {
  /**
   * A line that matches, one near it, or the line with the name of its function; a `binary` file
   * that matches; a `file`, or the `count` of its lines, if these are asked for.
   */
  readonly kind: 'match' | 'context' | 'function' | 'binary' | 'file' | 'count'
  readonly path: string
  readonly pathBytes: Uint8Array
  /** The number of the line, from 1; 0 if this is no line. */
  readonly line: number
  /** The first byte that matches, from 1; 0 if there is none, or it was not asked for. */
  readonly column: number
  /** The bytes of each match in the line, if they were asked for: from 0, the end excluded. */
  readonly matches: readonly (readonly [start: number, end: number])[]
  /** How many lines match, for a `count`. */
  readonly count: number
  /** The line, without a line feed. */
  readonly bytes: Uint8Array
  /** The line as text. */
  readonly text: string
  /** Returns the line as text. */
  toString(): string
  toJSON(): GrepHitJson
}

/** A {@link GrepHit} as `JSON.stringify` writes it. */
export type GrepHitJson = Omit<GrepHit, 'pathBytes' | 'bytes' | 'toString' | 'toJSON'>

/** How a commit is named after a tag: {@link Repository.describe}. */
export interface Description {
  /** The name of the tag; `null` if the commit is described by its id. */
  readonly name: string | null
  /** How many commits the tag does not reach; 0 if it is the commit's own. */
  readonly depth: number
  /** The id of the commit. */
  readonly oid: string
  /** The id of the annotated tag; `null` if there is none. */
  readonly tag: string | null
  /** The full name of the ref, whose tag may have another name. */
  readonly ref: string | null
  readonly nameBytes: Uint8Array | null
  /** Returns the text that `git describe` prints, such as `v1.0-14-g2414721`. */
  toString(): string
  /** Returns the fields without bytes. */
  toJSON(): DescriptionJson
}

/** Such a description as plain data. */
export type DescriptionJson = Omit<Description, 'nameBytes' | 'toString' | 'toJSON'>

/** An entry that {@link Repository.walk} lists. */
export interface WalkEntry extends ModeNames {
  readonly mode: number
  readonly type: 'blob' | 'tree' | 'commit'
  readonly oid: string
  /** The path as text, names joined by `/`; the bytes are in `pathBytes`. */
  readonly path: string
  readonly pathBytes: Uint8Array
  /** The size of a blob in bytes, if `sizes` was requested. */
  readonly size: number | undefined
  /** Returns the fields without bytes. */
  toJSON(): WalkEntryJson
}

/** An entry of a walk as plain data. */
export type WalkEntryJson = Pick<WalkEntry, 'mode' | 'type' | 'oid' | 'path' | 'size'>

/**
 * The fields of every object. `toJSON` returns them as plain data, without bytes; used by
 * `JSON.stringify` and Node's `console.log`. Dates stay seconds and minutes.
 */
export interface ObjectBase {
  /** 40 or 64 lower-case hex digits. */
  readonly oid: string
  /** The size of the content in bytes. */
  readonly size: number
  /**
   * The content, a view of the object's own `ArrayBuffer`. Only objects of a batch or of
   * `log` share one buffer.
   */
  readonly data: Uint8Array<ArrayBuffer>
  /** The number of deltas that were applied to read the object. */
  readonly deltaDepth: number
}

/** A blob: the content of a file. */
export interface BlobObject extends ObjectBase {
  readonly type: 'blob'
  /**
   * Returns the content as text, decoded as UTF-8, without a leading byte order mark.
   * Invalid UTF-8 becomes U+FFFD; the original bytes are in `data`.
   */
  text(): string
  /** Returns the type, the id and the size, without content. */
  toJSON(): BlobJson
}

/** A blob as plain data. */
export type BlobJson = Pick<BlobObject, 'type' | 'oid' | 'size'>

/** A tree; its entries are decoded on first access. */
export interface TreeObject extends ObjectBase {
  readonly type: 'tree'
  readonly entries: readonly TreeEntry[]
  toJSON(): TreeJson
}

/** A tree as plain data. */
export interface TreeJson extends Pick<TreeObject, 'type' | 'oid' | 'size'> {
  readonly entries: readonly TreeEntryJson[]
}

/** A commit; its fields are decoded on access. */
export interface CommitObject extends ObjectBase {
  readonly type: 'commit'
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Signature
  readonly committer: Signature
  /** The message as text, decoded by `encoding`, by default as UTF-8. */
  readonly message: string
  readonly messageBytes: Uint8Array
  readonly encoding: string | null
  /**
   * The GPG or SSH signature, its lines unfolded: the header `gpgsig`, or `gpgsig-sha256`
   * in a repository with SHA-256 ids. `null` if the commit is not signed.
   */
  readonly gpgsig: string | null
  /**
   * All header lines in order, with their values unfolded. The other fields of a commit
   * can be read however many header lines there are.
   *
   * @throws `LIMIT` if there are more than 100,000 lines
   */
  readonly headers: readonly Header[]
  /** Returns the fields, without those of bytes and without `headers`. */
  toJSON(): CommitJson
}

/** A commit as plain data. */
export interface CommitJson
  extends Pick<
    CommitObject,
    'type' | 'oid' | 'size' | 'tree' | 'parents' | 'encoding' | 'gpgsig' | 'message'
  > {
  readonly author: SignatureJson
  readonly committer: SignatureJson
}

/** An annotated tag; its fields are decoded on access. */
export interface TagObject extends ObjectBase {
  readonly type: 'tag'
  /** The id of the tagged object. */
  readonly target: string
  readonly targetType: ObjectType
  readonly name: string
  /** `null` in the oldest tags. */
  readonly tagger: Signature | null
  readonly message: string
  readonly messageBytes: Uint8Array
  readonly headers: readonly Header[]
  /** Returns the fields, without those of bytes and without `headers`. */
  toJSON(): TagJson
}

/** A tag as plain data. */
export interface TagJson
  extends Pick<TagObject, 'type' | 'oid' | 'size' | 'target' | 'targetType' | 'name' | 'message'> {
  readonly tagger: SignatureJson | null
}

/** A header line of a commit or a tag. */
export interface Header {
  readonly key: string
  readonly value: Uint8Array
}

/** An object and its content. */
export type GitObject = BlobObject | TreeObject | CommitObject | TagObject

/** The object of a type. */
export type ObjectOf<T extends ObjectType> = Extract<GitObject, { readonly type: T }>

/** The type, size and storage of an object, without its content. */
export interface ObjectInfo {
  readonly type: ObjectType
  readonly oid: string
  /** The size of the content in bytes. */
  readonly size: number
  /** The bytes that the object takes on disk; git's `objectsize:disk`. */
  readonly diskSize: number
  readonly deltaDepth: number
  /** The id of the delta base, `null` if the object is not a delta. */
  readonly deltaBase: string | null
  /** The path of the pack that holds the object, `null` if it is in no pack. */
  readonly pack: string | null
  /** The offset of the entry in the pack in bytes, `null` if the object is in no pack. */
  readonly offset: number | null
}

/** A ref. */
export interface Ref {
  /** The full name, such as `refs/heads/main`. */
  readonly name: string
  readonly nameBytes: Uint8Array
  /** The id of the object that the ref resolves to; `null` if the ref is unborn. */
  readonly oid: string | null
  /** The ref that a symbolic ref points at. */
  readonly target: string | null
  /** The id of the peeled object if the ref points at a tag; else `null`. */
  readonly peeled: string | null
  /** Returns the fields without bytes. */
  toJSON(): RefJson
}

/** A ref as plain data. */
export type RefJson = Pick<Ref, 'name' | 'oid' | 'target' | 'peeled'>

/** A change of a ref: {@link Refs.log}. */
export interface ReflogEntry {
  /** The id before the change; `null` if the ref was created. */
  readonly oldOid: string | null
  /** The id after the change; `null` if the ref was deleted. */
  readonly newOid: string | null
  /** The person and date of the change. */
  readonly committer: Signature
  /** The reason, one line of text; its bytes are in `messageBytes`. */
  readonly message: string
  readonly messageBytes: Uint8Array
  /** Returns the fields without bytes. */
  toJSON(): ReflogEntryJson
}

/** A change of a ref as plain data. */
export interface ReflogEntryJson extends Pick<ReflogEntry, 'oldOid' | 'newOid' | 'message'> {
  readonly committer: SignatureJson
}

/** Whether a ref can be created: {@link Refs.checkAvailable}. */
export type Availability =
  | { readonly ok: true }
  | {
      readonly ok: false
      /**
       * The conflict. `exists`: a ref has the name of a directory of the new ref;
       * `is-prefix-of`: a ref exists below its name; `planned-together`: another name of
       * the same plan; `bad-name`: the name is invalid.
       */
      readonly code: 'exists' | 'is-prefix-of' | 'planned-together' | 'bad-name'
      /** The other ref. */
      readonly conflictsWith: string | null
      /** git's message. */
      readonly message: string
    }

/** One answer of a batch. */
export type BatchRow = ObjectRow | MissingRow | AmbiguousRow | FailedRow

interface RowBase {
  /** The index of the spec that this row answers. */
  readonly index: number
}

/** An object. The id is decoded, and the view of the content made, on access. */
export interface ObjectRow extends RowBase {
  readonly type: ObjectType
  readonly oid: string
  /** The size of the whole content. */
  readonly size: number
  /** The content in this buffer; empty if only `info` was requested. */
  readonly data: Uint8Array<ArrayBuffer>
  /** The offset of `data` in the whole content: 0 unless the content was split. */
  readonly dataOffset: number
  /** True if the rest of the content is in the next buffer. */
  readonly more: boolean
  readonly deltaDepth: number
  /**
   * The number of the pack, whose path {@link Batch.pathOf} returns; `null` if the object is in none.
   */
  readonly pack: number | null
  readonly diskSize: number | undefined
  readonly deltaBase: string | null | undefined
  /** Returns the parsed object; only for rows that hold the whole content. */
  readonly object: () => GitObject
  /** Returns the fields without content. */
  toJSON(): ObjectRowJson
}

/** A row as plain data. */
export type ObjectRowJson = Pick<
  ObjectRow,
  'type' | 'index' | 'oid' | 'size' | 'deltaDepth' | 'diskSize' | 'deltaBase'
>

/** The object does not exist. */
export interface MissingRow extends RowBase {
  readonly type: 'missing'
}

/** A shortened id is the prefix of several objects' ids. */
export interface AmbiguousRow extends RowBase {
  readonly type: 'ambiguous'
  readonly candidates: readonly string[]
}

/** The object cannot be read; the other rows of the batch are not affected. */
export interface FailedRow extends RowBase {
  readonly type: 'failed'
  readonly error: PacklensError
}

/** The position where a batch resumes after its buffer was full. */
export interface BatchPlace {
  readonly index: number
  readonly skip: number
}

/** Counters since the repository was opened. */
export interface Stats {
  /** Objects looked up by id. */
  lookups: number
  /** Objects whose content was delivered. */
  objects: number
  /** Blocks of files read into memory. */
  blocksRead: number
  /** Bytes read into memory, each a copy in. */
  bytesRead: number
  /** Blocks evicted to stay within `memory`. */
  blocksEvicted: number
  filesOpened: number
  /** Bytes that inflating produced. */
  inflatedBytes: number
  deltasApplied: number
  /** Pack entries taken from the base cache. */
  baseCacheHits: number
  /** Bytes of objects that were hashed to check their id. */
  hashedBytes: number
  /** Bytes of pack entries that were checked by the CRC-32 in their index. */
  crcBytes: number
  /** Parent directories of new ref names, looked up to detect refs of the same name. */
  prefixChecks: number
  /** Seeks of a cursor over refs. */
  refSeeks: number
  /** Reftables opened, each once as long as `tables.list` has it. */
  tablesOpened: number
  /** Commits whose parents a walk visited, in objects or a commit-graph. */
  commitsWalked: number
  /** Bytes returned to JavaScript, each a copy out. */
  bytesOut: number
  /** Number of times that output was returned to JavaScript. */
  flushes: number
  /** The most bytes that blocks, base cache and output took together. */
  memoryHighWater: number
  /** Requests sent to a server, retries included. */
  requests: number
  /** Bytes read from the server's responses, without headers. */
  receivedBytes: number
  /**
   * The size of the instance's memory in bytes. The size grows to `memory` in few steps;
   * unused bytes take no memory of the machine.
   */
  instanceMemory: number
}

import type { PacklensError } from './errors.js'

/** The four types of objects. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** Who did something, and when. */
export interface Signature {
  /** As text; see `raw` for its bytes. */
  readonly name: string
  readonly email: string
  /** Seconds since 1970; `null` if the header has none. Beyond 2^53 inexact. */
  readonly seconds: number | null
  /** Minutes east of Greenwich, with git's sign: `+0200` is 120. */
  readonly offset: number
  /** The whole value of the header, whatever it holds. */
  readonly raw: Uint8Array
  /** Returns the fields without bytes: dates stay seconds and minutes. */
  toJSON(): SignatureJson
}

/** A signature as plain data. */
export type SignatureJson = Pick<Signature, 'name' | 'email' | 'seconds' | 'offset'>

/** What a mode says, by name; see `mode` for its bits. */
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
  /** The mode as it is stored, such as `0o100644`. */
  readonly mode: number
  /** What the mode says the object is; a submodule's is a `commit`. */
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

/** What {@link Repository.walk} finds. */
export interface WalkEntry extends ModeNames {
  readonly mode: number
  readonly type: 'blob' | 'tree' | 'commit'
  readonly oid: string
  /** The path as text, parts joined by `/`; see `pathBytes`. */
  readonly path: string
  readonly pathBytes: Uint8Array
  /** The size of a blob in bytes, if sizes were asked for. */
  readonly size: number | undefined
  /** Returns the fields without bytes. */
  toJSON(): WalkEntryJson
}

/** An entry of a walk as plain data. */
export type WalkEntryJson = Pick<WalkEntry, 'mode' | 'type' | 'oid' | 'path' | 'size'>

/**
 * What every object has. `toJSON` returns its fields as plain data, without bytes: what
 * `JSON.stringify` writes, and Node's `console.log` shows. Dates stay seconds and minutes.
 */
export interface ObjectBase {
  /** 40 or 64 lower-case hex digits. */
  readonly oid: string
  /** The size of the content in bytes. */
  readonly size: number
  /**
   * The content, a view of the one `ArrayBuffer` the object came in. It shares
   * that with nothing else you hold, unless it is of a batch or of `log`.
   */
  readonly data: Uint8Array<ArrayBuffer>
  /** How many deltas were applied to make it. */
  readonly deltaDepth: number
}

export interface BlobObject extends ObjectBase {
  readonly type: 'blob'
  /**
   * Returns the content as text: decoded as UTF-8, without a byte order mark at its begin.
   * Bytes that are no UTF-8 become U+FFFD; `data` has them.
   */
  text(): string
  /** Returns the type, the id and the size; of the content nothing. */
  toJSON(): BlobJson
}

/** A blob as plain data. */
export type BlobJson = Pick<BlobObject, 'type' | 'oid' | 'size'>

/** A tree; its entries are decoded when they are first looked at. */
export interface TreeObject extends ObjectBase {
  readonly type: 'tree'
  readonly entries: readonly TreeEntry[]
  toJSON(): TreeJson
}

/** A tree as plain data. */
export interface TreeJson extends Pick<TreeObject, 'type' | 'oid' | 'size'> {
  readonly entries: readonly TreeEntryJson[]
}

/** A commit; its fields are decoded when they are first looked at. */
export interface CommitObject extends ObjectBase {
  readonly type: 'commit'
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Signature
  readonly committer: Signature
  /** The message as text, decoded as `encoding` says, else as UTF-8. */
  readonly message: string
  readonly messageBytes: Uint8Array
  readonly encoding: string | null
  /**
   * The signature made with GPG or SSH, its lines unfolded. In a repository with
   * SHA-256 ids it is that of the header `gpgsig-sha256`.
   */
  readonly gpgsig: string | null
  /**
   * All header lines in order, with their values unfolded. More than 100,000 are `LIMIT`;
   * every other field finds its own line, however many there are.
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

/** An annotated tag; its fields are decoded when they are first looked at. */
export interface TagObject extends ObjectBase {
  readonly type: 'tag'
  /** The id of the object it points at. */
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

/** What is known of an object without its content. */
export interface ObjectInfo {
  readonly type: ObjectType
  readonly oid: string
  /** The size of the content in bytes. */
  readonly size: number
  /** The bytes it takes where it is stored. */
  readonly diskSize: number
  readonly deltaDepth: number
  /** The object that its delta builds on, `null` if it is no delta. */
  readonly deltaBase: string | null
  /** The path of the pack it is in, `null` if it is in none. */
  readonly pack: string | null
  /** Where in the pack its entry begins, `null` if it is in none. */
  readonly offset: number | null
}

/** A ref. */
export interface Ref {
  /** The full name, such as `refs/heads/main`. */
  readonly name: string
  readonly nameBytes: Uint8Array
  /** The object it leads to; `null` if it leads nowhere yet. */
  readonly oid: string | null
  /** The ref that a symbolic ref points at. */
  readonly target: string | null
  /** What the tag it points at leads to in the end; `null` if it is no tag. */
  readonly peeled: string | null
}

/** A change of a ref: {@link Refs.log}. */
export interface ReflogEntry {
  /** What it pointed at before; `null` if it was not there. */
  readonly oldOid: string | null
  /** What it points at since; `null` if it is gone. */
  readonly newOid: string | null
  /** Who changed it, and when. */
  readonly committer: Signature
  /** Why, on one line, as text; see `messageBytes`. */
  readonly message: string
  readonly messageBytes: Uint8Array
}

/** Whether a ref can be created: {@link Refs.checkAvailable}. */
export type Availability =
  | { readonly ok: true }
  | {
      readonly ok: false
      /**
       * What is in the way: a ref with the name of a directory that it would be in,
       * a ref below its name, another name of the plan, or its own name.
       */
      readonly code: 'exists' | 'is-prefix-of' | 'planned-together' | 'bad-name'
      /** The other ref. */
      readonly conflictsWith: string | null
      /** What git says. */
      readonly message: string
    }

/** One answer of a batch. */
export type BatchRow = ObjectRow | MissingRow | AmbiguousRow | FailedRow

interface RowBase {
  /** Which of the specs this answers. */
  readonly index: number
}

/** An object. Its id is decoded, and its content is a view, when looked at. */
export interface ObjectRow extends RowBase {
  readonly type: ObjectType
  readonly oid: string
  /** The size of the whole content. */
  readonly size: number
  /** The content in this buffer, empty if only `info` was asked for. */
  readonly data: Uint8Array<ArrayBuffer>
  /** Where in the whole content `data` begins: 0 unless it was cut. */
  readonly dataOffset: number
  /** True if the rest of the content is in the next buffer. */
  readonly more: boolean
  readonly deltaDepth: number
  readonly diskSize: number | undefined
  readonly deltaBase: string | null | undefined
  /** Takes the object apart; only for rows with all of their content. */
  readonly object: () => GitObject
  /** Returns the fields without content. */
  toJSON(): ObjectRowJson
}

/** A row as plain data. */
export type ObjectRowJson = Pick<
  ObjectRow,
  'type' | 'index' | 'oid' | 'size' | 'deltaDepth' | 'diskSize' | 'deltaBase'
>

/** There is no such object. */
export interface MissingRow extends RowBase {
  readonly type: 'missing'
}

/** A shortened id that stands for several objects. */
export interface AmbiguousRow extends RowBase {
  readonly type: 'ambiguous'
  readonly candidates: readonly string[]
}

/** The object cannot be read; the others of the batch can. */
export interface FailedRow extends RowBase {
  readonly type: 'failed'
  readonly error: PacklensError
}

/** Where to go on when a buffer was full. */
export interface BatchPlace {
  readonly index: number
  readonly skip: number
}

/** The counters: what was done since the repository was opened. */
export interface Stats {
  /** Objects looked for by id. */
  lookups: number
  /** Objects whose content was delivered. */
  objects: number
  /** Parts of files brought into memory. */
  blocksRead: number
  /** Bytes brought into memory, each a copy in. */
  bytesRead: number
  /** Parts that left to keep the ceiling. */
  blocksEvicted: number
  filesOpened: number
  /** Bytes that inflating made. */
  inflatedBytes: number
  deltasApplied: number
  /** Pack entries taken from the base cache. */
  baseCacheHits: number
  /** Bytes of objects that were hashed to check their id. */
  hashedBytes: number
  /** Bytes of pack entries that were checked by the checksums in their indexes. */
  crcBytes: number
  /** Directories of new refs that were looked up, to see whether they are refs. */
  prefixChecks: number
  /** Times that a cursor over refs was sent to a place. */
  refSeeks: number
  /** Reftables opened: each once, as long as it is listed. */
  tablesOpened: number
  /** Commits whose parents a walk looked at, in objects or a commit-graph. */
  commitsWalked: number
  /** Bytes handed over, each a copy out. */
  bytesOut: number
  /** Times that output was handed over. */
  flushes: number
  /** The most bytes that parts, base cache and output took together. */
  memoryHighWater: number
  /** Requests sent to a server, those that were tried again among them. */
  requests: number
  /** Bytes that were read of the server's answers, headers aside. */
  receivedBytes: number
  /**
   * The size of the instance's memory in bytes. It grows to `memory` in few steps; what
   * was not used of it takes none of the machine's.
   */
  instanceMemory: number
}

/** The rows of a status. */
import { hex } from '../base/hex.js'
import { STATUS_RECORDS } from '../base/protocol-full.js'
import type {
  ChangedFile,
  ChangedFileJson,
  StatusEntry,
  StatusStage,
  SubmoduleState,
  UnchangedFile,
  UnchangedFileJson,
  UnmergedFile,
  UnmergedFileJson,
} from '../base/types.js'
import { text } from '../base/utf8.js'
import { MAX_SCORE } from './change.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

/** The letters of git for changes. */
const CHANGES = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  T: 'type-changed',
  R: 'renamed',
  C: 'copied',
  X: 'unknown',
} as const

type Bytes = Uint8Array<ArrayBuffer>
type Three<T> = readonly [T, T, T]

/** A record of the core's `Status`. */
interface StatusRecord {
  readonly letters: readonly [number, number]
  /** Of a submodule that was compared; `null` for everything else. */
  readonly submodule: SubmoduleState | null
  readonly score: number
  readonly modes: Three<number | null>
  readonly worktreeMode: number | null
  readonly oids: Three<string | null>
  readonly oldPath: Bytes
  readonly path: Bytes
}

class Changed implements ChangedFile {
  readonly kind = 'changed'
  declare readonly path: string
  declare readonly oldPath: string
  declare readonly staged: ChangedFile['staged']
  declare readonly unstaged: ChangedFile['unstaged']
  declare readonly similarity: number | null
  declare readonly headMode: number | null
  declare readonly indexMode: number | null
  declare readonly worktreeMode: number | null
  declare readonly headOid: string | null
  declare readonly indexOid: string | null
  declare readonly worktreeOid: string | null
  declare readonly hasOtherCommit: boolean
  declare readonly submodule: SubmoduleState | null
  declare readonly pathBytes: Uint8Array
  declare readonly oldPathBytes: Uint8Array

  constructor({ letters, score, modes, oids, ...record }: StatusRecord) {
    const isMoved = record.oldPath.byteLength > 0
    this.path = text(record.path)
    this.oldPath = isMoved ? text(record.oldPath) : this.path
    this.staged = changeOf(letters[0]) as ChangedFile['staged']
    this.unstaged = changeOf(letters[1]) as ChangedFile['unstaged']
    this.similarity = isMoved ? Math.floor((score * 100) / MAX_SCORE) : null
    this.headMode = modes[0]
    this.indexMode = modes[1]
    this.worktreeMode = record.worktreeMode
    this.headOid = oids[0]
    this.indexOid = oids[1]
    this.worktreeOid = oids[2]
    this.hasOtherCommit = record.submodule?.hasOtherCommit ?? false
    this.submodule = record.submodule
    this.pathBytes = record.path
    this.oldPathBytes = isMoved ? record.oldPath : record.path
  }

  toJSON(): ChangedFileJson {
    const { kind, path, oldPath, staged, unstaged, similarity } = this
    const { headMode, indexMode, worktreeMode, headOid, indexOid, worktreeOid } = this
    const modes = { headMode, indexMode, worktreeMode }
    const states = { staged, unstaged, similarity }
    const oids = { headOid, indexOid, worktreeOid }
    return {
      kind,
      path,
      oldPath,
      ...states,
      ...modes,
      ...oids,
      hasOtherCommit: this.hasOtherCommit,
      submodule: this.submodule,
    }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

function changeOf(letter: number): (typeof CHANGES)[keyof typeof CHANGES] | null {
  return letter === 0 ? null : CHANGES[String.fromCharCode(letter) as keyof typeof CHANGES]
}

class Unmerged implements UnmergedFile {
  readonly kind = 'unmerged'
  declare readonly path: string
  declare readonly stages: UnmergedFile['stages']
  declare readonly worktreeMode: number | null
  declare readonly pathBytes: Uint8Array

  constructor({ modes, oids, worktreeMode, path }: StatusRecord) {
    const stage = (at: 0 | 1 | 2): StatusStage | null => {
      const [mode, oid] = [modes[at], oids[at]]
      return mode === null || oid === null ? null : { mode, oid }
    }
    this.path = text(path)
    this.stages = [stage(0), stage(1), stage(2)]
    this.worktreeMode = worktreeMode
    this.pathBytes = path
  }

  toJSON(): UnmergedFileJson {
    const { kind, path, stages, worktreeMode } = this
    return { kind, path, stages, worktreeMode }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

class Unchanged implements UnchangedFile {
  readonly kind = 'unchanged'
  declare readonly path: string
  declare readonly mode: number
  declare readonly oid: string
  declare readonly pathBytes: Uint8Array

  constructor(mode: number, oid: string, pathBytes: Uint8Array) {
    this.path = text(pathBytes)
    this.mode = mode
    this.oid = oid
    this.pathBytes = pathBytes
  }

  toJSON(): UnchangedFileJson {
    const { kind, path, mode, oid } = this
    return { kind, path, mode, oid }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/** Returns the row of a submodule, of which the core says that it did not change but maybe inside. */
export function unchangedSubmodule({ indexMode, indexOid, pathBytes }: ChangedFile): UnchangedFile {
  return new Unchanged(indexMode ?? 0, indexOid ?? '', pathBytes)
}

class Other<Kind extends 'untracked' | 'ignored'> {
  declare readonly kind: Kind
  declare readonly path: string
  declare readonly pathBytes: Uint8Array

  constructor(kind: Kind, pathBytes: Uint8Array) {
    this.kind = kind
    this.path = text(pathBytes)
    this.pathBytes = pathBytes
  }

  toJSON(): Pick<Other<Kind>, 'kind' | 'path'> {
    const { kind, path } = this
    return { kind, path }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/**
 * Decodes the records of the core's `Status`. A submodule that is checked out has a row, even if
 * nothing changed but maybe its files.
 */
export function* decodeStatus(page: Bytes): Generator<StatusEntry, undefined> {
  const reader = new Reader(page)
  while (!reader.done) {
    const kind = STATUS_RECORDS[reader.u8()] ?? 'changed'
    if (kind === 'unchanged') {
      yield new Unchanged(reader.u32(), reader.oid() ?? '', reader.string())
      continue
    }
    const record = recordIn(reader)
    if (kind === 'changed') yield new Changed(record)
    else if (kind === 'unmerged') yield new Unmerged(record)
    else if (kind === 'ignored') yield new Other(kind, record.path)
    else yield new Other(kind, record.path)
  }
}

/** Returns the state of a submodule by the bits that `Status` of the core explains. */
function stateOf(bits: number): SubmoduleState | null {
  if (bits === 0) return null
  return {
    hasOtherCommit: (bits & 2) !== 0,
    isModified: (bits & 4) !== 0,
    hasUntracked: (bits & 8) !== 0,
  }
}

function recordIn(reader: Reader): StatusRecord {
  const letters = [reader.u8(), reader.u8()] as const
  const submodule = stateOf(reader.u8())
  const score = reader.u32()
  const mode = () => reader.u32() || null
  const modes = [mode(), mode(), mode()] as const
  const worktreeMode = mode()
  const idLength = reader.u32()
  const oid = (mode: number | null) => {
    const bytes = reader.bytes(idLength)
    return mode === null ? null : hex(bytes)
  }
  const oids = [oid(modes[0]), oid(modes[1]), oid(modes[2])] as const
  const [oldPath, path] = [reader.string(), reader.string()]
  return { letters, submodule, score, modes, worktreeMode, oids, oldPath, path }
}

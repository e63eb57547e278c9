/** The exports that all entry points of the package share. */

export type { ErrorCode } from './base/errors.js'
export { isPacklensError, PacklensError } from './base/errors.js'
export type * from './base/types.js'
export type { LoadOptions } from './load.js'
export type { ObjectFilter } from './objects/filter.js'
export type { SeverityOptions } from './objects/findings.js'
export type { FrameEvent } from './objects/framing.js'
export { defaultFrameSize, FrameReader, FrameWriter } from './objects/framing.js'
export type { PackFacts, PackFinding } from './objects/pack-records.js'
export type { BundleSource } from './opening/bundle.js'
export type { OpenOptions } from './opening/open.js'
export type { SourceStore, StoreOptions } from './opening/source-store.js'
export type { CheckPackFilesOptions, CheckPackOptions } from './packs/check-pack.js'
export type { IndexPackOptions, PackCompletion, PackIndex } from './packs/index-pack.js'
export type { PackOptions } from './packs/pack-answers.js'
export type { IndexEntry, ShowIndexOptions } from './packs/show-index.js'
export type { AheadBehind } from './questions/ahead-behind.js'
export type { ArchiveOptions } from './questions/archive.js'
export type { BatchOptions } from './questions/batch.js'
export { Batch, minBatchSize } from './questions/batch.js'
export type { BlameOptions } from './questions/blame.js'
export type { CombinedPatchesOptions } from './questions/combined-patches.js'
export type { ConfigOptions } from './questions/config.js'
export type { DescribeOptions } from './questions/describe.js'
export type { DiffOptions, RenameOptions } from './questions/diff.js'
export type { Finding, FsckOptions, FsckProgress } from './questions/fsck.js'
export type { GrepOptions, Patterns } from './questions/grep.js'
export type {
  CommitsOptions,
  CountOptions,
  RevListGraphOptions,
  RevListOptions,
} from './questions/history.js'
export type { IndexOptions } from './questions/index-file.js'
export type { LastModifiedOptions } from './questions/last-modified.js'
export type { MergeBasesOptions } from './questions/merge-bases.js'
export type { NameRevOptions } from './questions/name-rev.js'
export type { ObjectsOptions } from './questions/object-list.js'
export type { ListedObject } from './questions/object-walk.js'
export type { PatchesOptions } from './questions/patches.js'
export type { Pickaxe } from './questions/pickaxe.js'
export type { ReadOptions } from './questions/reading.js'
export type { ListRefsOptions, PointsAtOptions } from './questions/ref-answers.js'
export type { AvailableOptions } from './questions/ref-checks.js'
export type {
  PlanOptions,
  RefChange,
  RefMove,
  RefPlan,
  RefPlanError,
  SyncRefPlan,
} from './questions/ref-plan.js'
export type { GraphCommit } from './questions/rev-list-graph.js'
export type { Garbage, StorageCounts, StoredPack } from './questions/storage.js'
export type { StreamOptions } from './questions/stream.js'
export type { DiffTextOptions } from './questions/text-diff.js'
export type { WalkOptions } from './questions/tree-walk.js'
export type { Refs } from './repository/refs.js'
export type { Repository } from './repository/repository.js'
export type { SyncRefs } from './repository/sync-refs.js'
export type { SyncRepository } from './repository/sync-repository.js'
export type { WasmSource } from './session/wasm-module.js'
export type { AsyncBuffer, ByteSource, RandomAccess } from './source/bytes.js'
export type { Store } from './source/custom.js'
export type { LayoutOptions } from './source/environment.js'
export type { FetchedObjects, MissingHook } from './source/fetched.js'
export type { FsClient, FsFunctions } from './source/fs-client.js'
export type { FsSource } from './source/fs-store.js'
export type { PackSource, PacksSource } from './source/packs.js'
export type { OpenProgress } from './source/progress.js'
export type { ByteStream, PackSink } from './source/received.js'
export type { HttpFetch, HttpOptions } from './source/url/options.js'

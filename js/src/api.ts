/** The exports that all entry points of the package share. */
export type { BatchOptions } from './batch.js'
export { Batch, minBatchSize } from './batch.js'
export type { CheckPackFilesOptions, CheckPackOptions } from './check-pack.js'
export type { DiffOptions } from './diff.js'
export type { ErrorCode } from './errors.js'
export { isPacklensError, PacklensError } from './errors.js'
export type { ObjectFilter } from './filter.js'
export type { SeverityOptions } from './findings.js'
export type { FrameEvent } from './framing.js'
export { defaultFrameSize, FrameReader, FrameWriter } from './framing.js'
export type { Finding, FsckOptions, FsckProgress } from './fsck.js'
export type {
  CommitsOptions,
  CountOptions,
  ListedObject,
  MergeBasesOptions,
  RevListOptions,
} from './history.js'
export type { IndexPackOptions, PackCompletion, PackIndex } from './index-pack.js'
export type { LoadOptions } from './load.js'
export type { ObjectsOptions } from './object-list.js'
export type { OpenOptions } from './open.js'
export type { PackFacts, PackFinding, PackOptions } from './pack-answers.js'
export type { OpenProgress } from './progress.js'
export type { ReadOptions } from './reading.js'
export type { AvailableOptions, ListRefsOptions, PointsAtOptions } from './ref-answers.js'
export type {
  PlanOptions,
  RefChange,
  RefMove,
  RefPlan,
  RefPlanError,
  SyncRefPlan,
} from './ref-plan.js'
export type { Refs } from './refs.js'
export type { Repository } from './repository.js'
export type { IndexEntry, ShowIndexOptions } from './show-index.js'
export type { BundleSource } from './source/bundle.js'
export type { AsyncBuffer, ByteSource, RandomAccess } from './source/bytes.js'
export type { Store } from './source/custom.js'
export type { LayoutOptions } from './source/environment.js'
export type { FetchedObjects, MissingHook } from './source/fetched.js'
export type { FsClient, FsFunctions } from './source/fs-client.js'
export type { FsSource } from './source/fs-store.js'
export type { PackSource, PacksSource } from './source/packs.js'
export type { ByteStream, PackSink } from './source/received.js'
export type { HttpFetch, HttpOptions } from './source/url/options.js'
export type { Garbage, StorageCounts, StoredPack } from './storage.js'
export type { StreamOptions } from './stream.js'
export type { SyncRefs } from './sync-refs.js'
export type { SyncRepository } from './sync-repository.js'
export type { WalkOptions } from './tree-walk.js'
export type * from './types.js'
export type { WasmSource } from './wasm-module.js'

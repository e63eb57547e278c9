/** What every entry of the package has in common. */
export type { BatchOptions } from './batch.js'
export { Batch, minBatchSize } from './batch.js'
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
export type {
  CheckPackFilesOptions,
  IndexPackOptions,
  PackCompletion,
  PackFacts,
  PackFinding,
  PackIndex,
  PackOptions,
} from './index-pack.js'
export type { LoadOptions } from './load.js'
export type { ObjectsOptions } from './object-list.js'
export type { ReadOptions } from './object-reader.js'
export type { OpenOptions } from './open.js'
export type { OpenProgress } from './progress.js'
export type { PlanOptions, RefChange, RefMove, RefPlan, RefPlanError } from './ref-plan.js'
export type { AvailableOptions, ListRefsOptions, PointsAtOptions, Refs } from './refs.js'
export type { CheckPackOptions, Repository, WalkOptions } from './repository.js'
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
export type * from './types.js'
export type { WasmSource } from './wasm-module.js'

/** The types of questions, sources and fixtures. */
import type { OpenOptions, Repository, SyncRepository } from 'packlens'
import type { Expected } from './expected.ts'

/** The context of a question. */
export interface Place {
  /** Opens the repository anew. */
  readonly open: (options?: OpenOptions) => Promise<Repository>
  readonly openSync: () => SyncRepository
}

/** When a kind needs promises; `opening`: an open repository may answer synchronously. */
export type Promises = 'never' | 'opening' | 'always'

/** A kind of source. */
export interface Kind {
  readonly name: string
  readonly promises: Promises
  /** Returns the source of a fixture; null if the kind cannot provide it. */
  readonly of: (fixture: Expected) => Expected | null
  /** Answers a question about a fixture. */
  readonly ask: (question: Question, of: Expected) => Promise<unknown>
}

/** A question. Its answer must be cloneable, because it may be asked in a worker. */
export interface Question {
  readonly name: string
  readonly ask: (place: Place, of: Expected) => Promise<unknown>
  readonly expected: (of: Expected, kind: Kind) => unknown
}

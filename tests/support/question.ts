/** What a question is, where it is asked, and of what. */
import type { OpenOptions, Repository, SyncRepository } from 'packlens'
import type { Expected } from './expected.ts'

/** Where a question is asked. */
export interface Place {
  /** Opens the repository anew. */
  readonly open: (options?: OpenOptions) => Promise<Repository>
  readonly openSync: () => SyncRepository
}

/** When a kind takes promises: what is read to be opened may be there afterwards. */
export type Promises = 'never' | 'opening' | 'always'

/** A kind of source. */
export interface Kind {
  readonly name: string
  readonly promises: Promises
  /** Returns what a fixture is when it comes from this kind; null if it cannot. */
  readonly of: (fixture: Expected) => Expected | null
  /** Asks a question about a fixture. */
  readonly ask: (question: Question, of: Expected) => Promise<unknown>
}

/** Its answer can be cloned: it may be asked in a worker, and judged outside. */
export interface Question {
  readonly name: string
  readonly ask: (place: Place, of: Expected) => Promise<unknown>
  readonly expected: (of: Expected, kind: Kind) => unknown
}

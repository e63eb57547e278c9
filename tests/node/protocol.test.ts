/** Encoding of options: every option of a call reaches the core. */

import type {
  FsckOptions,
  ObjectsOptions,
  RevListGraphOptions,
  RevListObjectsOptions,
  RevListOptions,
} from 'packlens'
import { describe, expect, test } from 'vitest'
import { type LongQuestion, QUESTIONS } from '../../dist/base/protocol.js'
import { fsckRequest } from '../../dist/questions/fsck.js'
import { revListRequest } from '../../dist/questions/history.js'
import { objectsRequest } from '../../dist/questions/object-list.js'
import { listedRequest } from '../../dist/questions/object-walk.js'
import { graphQuestion } from '../../dist/questions/rev-list-graph.js'
import { addFullQuestions } from '../../dist/session/full-questions.js'
import { encodeQuestion } from '../../dist/session/question.js'

addFullQuestions()

const bytesOf = (question: LongQuestion) => Buffer.concat(encodeQuestion(question)).toString('hex')

/** A value of each option that is not its default: a forgotten option does not compile. */
type Examples<T> = { readonly [K in Exclude<keyof T, 'signal'>]-?: T[K] }

/** Each option alone changes the question. */
function reach<T>(ask: (options: T) => LongQuestion, examples: Examples<T>): void {
  const plain = bytesOf(ask({} as T))
  for (const [name, value] of Object.entries(examples)) {
    expect(bytesOf(ask({ [name]: value } as T)), `\`${name}\` is lost`).not.toBe(plain)
  }
}

const REV_LIST: Examples<RevListOptions> = {
  all: true,
  path: 'a',
  pathspec: '*.a',
  firstParent: true,
  merges: true,
  minParents: 1,
  maxParents: 4,
  sinceAsFilter: 9,
  author: 'A',
  committer: ['C'],
  grep: 'g',
  allMatch: true,
  invertGrep: true,
  ignoreCase: true,
  regexp: 'fixed',
  follow: true,
  fullHistory: true,
  sparse: true,
  simplifyMerges: true,
  simplifyByDecoration: true,
  showPulls: true,
  ancestryPath: ['main'],
  excludeFirstParentOnly: true,
  leftOnly: true,
  rightOnly: true,
  cherryPick: true,
  limit: 3,
  skip: 2,
  since: 5,
  until: new Date(7000),
  useBitmapIndex: true,
  order: 'topo',
  reverse: true,
}

describe('Every option reaches the core', () => {
  test('of revList', () => {
    reach<RevListOptions>((options) => revListRequest('revList', 'HEAD', options), REV_LIST)
    reach<RevListOptions>((options) => revListRequest('revList', 'HEAD', options), {
      ...REV_LIST,
      merges: false,
      ancestryPath: true,
    })
  })

  test('of revListGraph', () => {
    reach<RevListGraphOptions>((options) => graphQuestion('HEAD', options), {
      ...REV_LIST,
      children: true,
      boundary: true,
      leftRight: true,
      cherryMark: true,
      source: true,
    })
  })

  test('of revListObjects', () => {
    reach<RevListObjectsOptions>((options) => listedRequest('HEAD', options), {
      ...REV_LIST,
      filter: ['blob:none', 'tree:1'],
      filterProvidedObjects: true,
      missing: 'allow-promisor',
    })
  })

  test('of objects', () => {
    const { lend: _, ...examples }: Examples<ObjectsOptions> = {
      unordered: true,
      fields: 'both',
      lend: true,
      type: 'blob',
      minSize: 1,
      maxSize: 9,
    }
    reach(objectsRequest, examples as Examples<ObjectsOptions>)
  })

  test('of verify', () => {
    const { onProgress: _, ...examples }: Examples<FsckOptions> = {
      strict: true,
      connectivityOnly: true,
      dangling: false,
      unreachable: true,
      reflogs: false,
      heads: ['HEAD'],
      cache: true,
      severities: { badDate: 'ignore' },
      skipList: ['0'.repeat(40)],
      onProgress: () => {},
    }
    reach(fsckRequest, examples as Examples<FsckOptions>)
  })
})

test('every field of revList is set by some option, or by some method', () => {
  const asked = [
    revListRequest('revList', 'HEAD', {}),
    revListRequest('revList', 'HEAD', {}, 'count', 'objects'),
    ...Object.entries(REV_LIST).map(([name, value]) =>
      revListRequest('revList', 'HEAD', { [name]: value }),
    ),
    revListRequest('revList', 'HEAD', { merges: false }),
    graphQuestion('HEAD', { source: true }),
    listedRequest('HEAD', { filter: 'tree:1', filterProvidedObjects: true, missing: 'allow-any' }),
  ]
  const [plain] = asked
  const [, ...fields] = QUESTIONS.revList
  for (const [field] of fields) {
    const differs = asked.some((question) => question[field] !== plain?.[field])
    expect(differs || field === 'specs', `nothing asks for \`${field}\``).toBe(true)
  }
})

test('a text is encoded whole, a name is cut after the core’s limit', () => {
  const long = 'x'.repeat(3 << 20)
  const lengths = encodeQuestion({ kind: 'fsck', rules: long }).map((piece) => piece.byteLength)
  expect(lengths.slice(1)).toEqual([3 << 20])
  const [, name] = encodeQuestion({ kind: 'reflog', name: long })
  expect(name?.byteLength).toBe((1 << 20) + 1)
})

test('a question is a number, a head of fixed length, and fields of variable length', () => {
  const hex = bytesOf({
    kind: 'walk',
    spec: 'é',
    recursive: true,
    sizes: true,
  })
  expect(hex).toBe(`${'08'}${'02000000'}${'010001'}${'c3a9'}`)
  const numbers = bytesOf({ kind: 'content', spec: new Uint8Array([1]), start: 2 })
  expect(numbers).toBe('09010000000000000000000040000000000000f87f01')
  const chosen = bytesOf({ kind: 'mergeBase', specs: new Uint8Array(), of: 'independent' })
  expect(chosen).toBe('010000000002')
})

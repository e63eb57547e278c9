/** Calls that end early. */
import type { Repository } from 'packlens'
import { codeOf, collect } from '../asking.ts'
import type { Expected } from '../expected.ts'
import type { Question } from '../question.ts'
import { described } from './reading.ts'

type Call = (repo: Repository, oid: string, signal: AbortSignal) => Promise<unknown>

const calls: readonly Call[] = [
  (repo, oid, signal) => repo.read(oid, { signal }),
  (repo, oid, signal) => repo.find(oid, { signal }),
  (repo, oid, signal) => repo.info(oid, { signal }),
  (repo, oid, signal) => repo.resolve(oid, { signal }),
  (repo, oid, signal) => repo.readMany([oid], { signal }),
  (repo, _, signal) => collect(repo.objects({ signal })),
  (repo, oid, signal) => collect(repo.walk(oid, { signal })),
  (repo, oid, signal) => collect(repo.stream(oid, { signal })),
  (repo, _, signal) => collect(repo.refs.list({ signal })),
  (repo, _, signal) => repo.refs.get('HEAD', { signal }),
]

export const aborted: Question = {
  name: 'ABORTED, if the signal was aborted before',
  async ask({ open }, of) {
    const signal = AbortSignal.abort()
    const opening = await codeOf(() => open({ signal }))
    await using repo = await open()
    const codes = []
    for (const call of calls) codes.push(await codeOf(() => call(repo, oidIn(of), signal)))
    return [opening, ...codes, (await described(repo, oidIn(of))).sha256]
  },
  expected: (of) => [...[0, ...calls].map(() => 'ABORTED'), sha256In(of)],
}

export const abortedLater: Question = {
  name: 'the right objects, after an aborted call',
  async ask({ open }, of) {
    await using repo = await open()
    const controller = new AbortController()
    const answer = outcome(repo.read(oidIn(of), { signal: controller.signal }))
    controller.abort()
    return [await answer, (await described(repo, oidIn(of))).sha256]
  },
  expected: (of, { promises }) => [promises === 'always' ? 'ABORTED' : 'read', sha256In(of)],
}

export const closed: Question = {
  name: 'errors, after it was closed',
  async ask({ open }, of) {
    const repo = await open()
    const answer = outcome(repo.read(oidIn(of)))
    repo.close()
    repo.close()
    const { signal } = new AbortController()
    const codes = []
    for (const call of calls) codes.push(await codeOf(() => call(repo, oidIn(of), signal)))
    await using again = await open()
    return [await answer, ...codes, (await described(again, oidIn(of))).sha256]
  },
  expected: (of, { promises }) => [
    promises === 'always' ? 'CLOSED' : 'read',
    ...calls.map(() => 'CLOSED'),
    sha256In(of),
  ],
}

function oidIn({ objects }: Expected): string {
  return objects[0]?.oid ?? ''
}

function sha256In({ objects }: Expected): string {
  return objects[0]?.sha256 ?? ''
}

function outcome(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => 'read',
    (error) => codeOf(() => Promise.reject(error)),
  )
}

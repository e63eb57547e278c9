/** Opens repositories in a worker, and makes every call. */
import type { Worker } from 'node:worker_threads'
import type { RepoSource, Repository } from 'packlens'
import { open } from 'packlens'
import { collect, fixture } from './support.ts'

const oid = fixture('main').objects[0]?.oid ?? ''

export function openIt(source: RepoSource): Promise<Repository> {
  return open(source, { worker: true })
}

/** Returns whatever is thrown. */
export async function thrown(ask: () => unknown): Promise<unknown> {
  try {
    await ask()
  } catch (error) {
    return error
  }
  throw new Error('this should have failed')
}

/** All calls, each read to its end. */
export const calls: [string, (repo: Repository, signal?: AbortSignal) => Promise<unknown>][] = [
  ['read', (repo, signal) => repo.read(oid, { signal })],
  ['find', (repo, signal) => repo.find(oid, { signal })],
  ['info', (repo, signal) => repo.info(oid, { signal })],
  ['resolve', (repo, signal) => repo.resolve(oid.slice(0, 7), { signal })],
  ['readMany', (repo, signal) => repo.readMany([oid], { signal })],
  ['objects', (repo, signal) => collect(repo.objects({ signal }))],
  ['walk', (repo, signal) => collect(repo.walk(oid, { signal }))],
  ['stream', (repo, signal) => drain(repo.stream(oid, { signal }))],
]

async function drain(stream: ReadableStream<Uint8Array>): Promise<number> {
  const chunks = await collect(stream as unknown as AsyncIterable<Uint8Array>)
  return chunks.length
}

/** Runs a function, and returns the workers it started. */
export async function withWorkers<T>(
  run: () => Promise<T>,
): Promise<[result: T, workers: Worker[]]> {
  const workers: Worker[] = []
  const note = (worker: Worker) => {
    workers.push(worker)
  }
  process.on('worker', note)
  try {
    return [await run(), workers]
  } finally {
    process.off('worker', note)
  }
}

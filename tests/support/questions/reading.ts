/** Reads objects for comparison. */
import type { GitObject, Repository } from 'packlens'
import type { Expected, ExpectedObject } from '../expected.ts'
import type { Question } from '../question.ts'

export const contents: Question['expected'] = ({ objects }) => objects.map(readingOf)

/** The compared fields of an object. */
function readingOf({ oid, type, size, sha256 }: ExpectedObject) {
  return { oid, type, size, sha256, length: size }
}

export async function describeObject({ oid, type, size, data }: GitObject) {
  return { oid, type, size, sha256: await sha256(data), length: data.byteLength }
}

export async function readAll(repo: Repository, of: Expected) {
  const found = []
  for (const { oid } of of.objects) found.push(await described(repo, oid))
  return found
}

export async function described(repo: Repository, spec: string) {
  return describeObject(await repo.read(spec))
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function joined(list: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(list.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const bytes of list) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}

/** What `packlens/isomorphic-git` reads of large packs. */
import { execFileSync } from 'node:child_process'
import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FsClient } from 'packlens'
import * as git from 'packlens/isomorphic-git'
import { afterAll, describe, expect, test } from 'vitest'

const temporary = mkdtempSync(path.join(tmpdir(), 'packlens-'))
afterAll(() => {
  git.closeRepositories()
  rmSync(temporary, { recursive: true })
})

/** A pack whose offsets take 400 KB of its index. */
const BLOBS = 100_000

function largePack(): { gitdir: string; oid: string } {
  const gitdir = path.join(temporary, 'large.git')
  execFileSync('git', ['init', '-q', '--bare', gitdir])
  const blobs = Array.from({ length: BLOBS }, (_, at) => `blob\ndata ${`${at}`.length}\n${at}\n`)
  const input = `${blobs.join('')}done\n`
  const limit = ['-c', 'fastimport.unpackLimit=1', '-c', 'pack.writeReverseIndex=false']
  execFileSync('git', ['-C', gitdir, ...limit, 'fast-import', '--quiet', '--done'], { input })
  const hash = ['-C', gitdir, 'hash-object', '--stdin']
  return { gitdir, oid: String(execFileSync('git', hash, { input: '123' })).trim() }
}

/** Node's own file system, which counts the bytes that are read of open files. */
function counting(): { client: FsClient; bytesRead: () => number } {
  let count = 0
  const open = async (...args: Parameters<typeof fs.promises.open>) => {
    const handle = await fs.promises.open(...args)
    const read = async (...args: Parameters<typeof handle.read>) => {
      const result = await handle.read(...args)
      count += result.bytesRead
      return result
    }
    return { read, stat: () => handle.stat(), close: () => handle.close() }
  }
  const promises = { ...fs.promises, open }
  return { client: { promises } as unknown as FsClient, bytesRead: () => count }
}

describe('readObject', () => {
  test('knows the pack of an object without the order of all of its objects', async () => {
    const { gitdir, oid } = largePack()
    const { client, bytesRead } = counting()
    const { blob } = await git.readBlob({ fs: client, gitdir, oid })
    expect(String.fromCharCode(...blob)).toBe('123')
    const before = bytesRead()
    expect(before).toBeGreaterThan(0)
    const { object, source } = await git.readObject({ fs: client, gitdir, oid, format: 'content' })
    expect(object).toEqual(blob)
    expect(source).toMatch(/^objects\/pack\/pack-[0-9a-f]{40}\.pack$/)
    // The range of the object itself may be read again.
    expect(bytesRead() - before).toBeLessThan(64 << 10)
  })
})

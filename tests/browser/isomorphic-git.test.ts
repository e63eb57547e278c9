/** `packlens/isomorphic-git` in a page, with a client of lightning-fs. */
import LightningFs from '@isomorphic-git/lightning-fs'
import * as git from 'packlens/isomorphic-git'
import { afterAll, expect, test } from 'vitest'
import { filesOf, fixture } from './support.ts'

const of = fixture('loose')
const fs = new LightningFs('isomorphic-git', { wipe: true })
const place = { fs, dir: '/repository' }

async function write(): Promise<void> {
  const made = new Set(['/'])
  for (const [name, bytes] of await filesOf(of)) {
    const file = `/repository/.git/${name}`
    for (let at = file.indexOf('/', 1); at >= 0; at = file.indexOf('/', at + 1)) {
      const folder = file.slice(0, at)
      if (!made.has(folder)) await fs.promises.mkdir(folder)
      made.add(folder)
    }
    await fs.promises.writeFile(file, bytes)
  }
}

afterAll(() => git.closeRepositories())

test('Refs, histories, trees and blobs are read', async () => {
  await write()
  const oid = of.head.oid as string
  expect(await git.resolveRef({ ...place, ref: 'HEAD' })).toBe(oid)
  expect(await git.currentBranch({ ...place, fullname: true })).toBe(of.head.symref)
  const heads = of.refs.map(({ name }) => name).filter((name) => name.startsWith('refs/heads/'))
  expect(await git.listBranches(place)).toEqual(heads.map((name) => name.slice(11)))
  const [first, second] = await git.log({ ...place, depth: 2 })
  expect([first?.oid, second?.oid]).toEqual([oid, of.resolve['HEAD~1']])
  const files = await git.listFiles({ ...place, ref: 'HEAD' })
  expect(files).toContain('README.md')
  const { blob, oid: blobOid } = await git.readBlob({ ...place, oid, filepath: 'README.md' })
  expect(of.objects.find((object) => object.oid === blobOid)?.size).toBe(blob.length)
  const map = async (path: string) => path
  const walked = await git.walk({ ...place, trees: [git.TREE()], map })
  expect(walked).toEqual(expect.arrayContaining(['.', ...files]))
})

test('Errors have isomorphic-git’s classes', async () => {
  const error = await git.readBlob({ ...place, oid: '1'.repeat(40) }).catch((error) => error)
  expect(error).toBeInstanceOf(git.Errors.NotFoundError)
  expect(error.caller).toBe('git.readBlob')
})

/** A file that a test makes, in a repository of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright'
import { loose, looseCommit, looseTree, makeRepository } from '../node/loose-objects.ts'
import { go, openFolder, waitForRepository } from './viewer.ts'

export interface MadeText extends Disposable {
  readonly text: string
}

/** Shows a text in the viewer, as a file of this name; the repository exists until it is disposed of. */
export async function openText(page: Page, name: string, content: string): Promise<MadeText> {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-text-'))
  makeRepository(folder)
  const oid = loose(folder, 'blob', content)
  const tree = looseTree(folder, [{ mode: '100644', name, oid }])
  writeFileSync(path.join(folder, 'refs/heads/main'), `${looseCommit(folder, { tree })}\n`)
  await openFolder(page, folder)
  await waitForRepository(page, path.basename(folder))
  await go(page, `#/main/${name}`)
  return { text: content, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

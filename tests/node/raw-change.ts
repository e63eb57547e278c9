/** Changes of files as git prints them. */
import type { FileChange } from 'packlens'

const LETTERS = {
  ...{ added: 'A', deleted: 'D', modified: 'M', 'type-changed': 'T' },
  ...{ renamed: 'R', copied: 'C' },
} as const

/** Writes a change as `git diff-tree --raw -z` does. */
export function rawChange(change: FileChange): Buffer {
  const mode = (of: number | null) => (of ?? 0).toString(8).padStart(6, '0')
  const id = (of: string | null) => of ?? '0'.repeat(40)
  const score = change.similarity ?? change.dissimilarity
  const letter = LETTERS[change.status] + (score === null ? '' : `${score}`.padStart(3, '0'))
  const ids = `${id(change.oldOid)} ${id(change.newOid)}`
  const head = `:${mode(change.oldMode)} ${mode(change.newMode)} ${ids} ${letter}`
  const paths = change.similarity === null ? [] : [change.oldPathBytes]
  const names = [Buffer.from(head), ...paths, change.pathBytes]
  return Buffer.concat(names.flatMap((name) => [name, Buffer.from([0])]))
}

/** Names a commit after a tag, for `%(describe)`. */
import { isPacklensError } from '../../../base/errors.js'
import { decodeDescription } from '../../../objects/description.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes, toBytes } from '../text/bytes.js'

/** Returns the name of a commit; empty if no tag reaches it. */
export function describeCommit(reader: Reader, oid: string, words: readonly string[]): string {
  const values = (name: string) =>
    words.filter((word) => word.startsWith(`${name}=`)).map((word) => word.slice(name.length + 1))
  const [abbrev] = values('abbrev').slice(-1)
  const tags = words.filter((word) => /^tags(=|$)/.test(word)).slice(-1)[0]
  const question = {
    kind: 'describe',
    spec: toBytes(oid),
    tags: tags !== undefined && !/=(no|false|off|0)$/i.test(tags),
    abbrev: abbrev === undefined ? undefined : Number(abbrev),
    matching: reader.specs(values('match')),
    exclude: reader.specs(values('exclude')),
    candidates: 10,
  } as const
  let text = ''
  try {
    reader.pages(question, (page) => {
      text = fromBytes(decodeDescription(new Uint8Array(page)).text)
    })
  } catch (error) {
    if (!isPacklensError(error, 'NOT_FOUND')) throw error
  }
  return text
}

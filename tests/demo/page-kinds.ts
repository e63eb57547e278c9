/** An address of each kind of page, in the repository that the built viewer shows first. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { targetDir } from '../../scripts/lib/paths.mjs'

const { refs } = JSON.parse(
  readFileSync(path.join(targetDir, 'demo', 'repository', 'refs.json'), 'utf8'),
) as { refs: Record<string, string> }
const commit = Object.values(refs).find((id) => /^[0-9a-f]{40}$/.test(id))

export const ADDRESSES = [
  '',
  '#/HEAD/LICENSE-MIT',
  '#blame/HEAD/LICENSE-MIT',
  '#history/HEAD/',
  '#search/HEAD/docs?text=zlib',
  '#refs',
  `#commit/${commit}`,
  `#compare/HEAD..id:${commit}`,
  '#/no-such-branch',
]

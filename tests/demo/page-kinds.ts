/** Addresses of each kind of page. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { targetDir } from '../../scripts/lib/paths.mjs'

const { refs } = JSON.parse(
  readFileSync(path.join(targetDir, 'demo', 'repository', 'refs.json'), 'utf8'),
) as { refs: Record<string, string> }
const commit = Object.values(refs).find((id) => /^[0-9a-f]{40}$/.test(id))

/** In the repository that the built viewer shows first. */
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

/** In the fixture `project`, with what each shows when it is complete; the page of a commit is not among them. */
export const PAGES: readonly (readonly [hash: string, shown: string])[] = [
  ['#/main', '.markdown h1'],
  ['#/tag:v1.0/docs', '.files .change a'],
  ['#/main/src/numbers.c#L3-L5', '.chosen-lines'],
  ['#/main/README.md', '.markdown table'],
  ['#/main/docs/logo.png', '.image img'],
  ['#/main/data/utf16.txt', '.card-head'],
  ['#/main/data/document.pdf', '.note a'],
  ['#/main/part', '.note[aria-busy=false]'],
  ['#blame/main/src/numbers.c', 'section[aria-busy=false] .blamed time'],
  ['#history/main', '.graph .dot'],
  ['#search/main?text=sum', 'mark'],
  ['#compare/older...main', '.diff'],
  ['#refs', '.refs .distance a'],
  ['#/main/no/such/file', '.failure'],
  ['#/no-such-branch', '.failure'],
]

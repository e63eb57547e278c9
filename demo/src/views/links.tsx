/** Shows symbolic links. */
import type { Page, PathPart } from '../reading/page'
import { encodeKey, pathRoute } from '../route'
import { formatWholeSize } from '../text/format'
import { pages } from '../words/pages'
import { Id } from './id'
import { Name } from './text'

type SymlinkPage = Extract<Page, { type: 'symlink' }>

export function SymlinkView({ page: { place, info, target } }: { page: SymlinkPage }) {
  const path = pathBehind(place.path, target)
  const name = <Name bytes={target} />
  return (
    <section class="card" aria-labelledby="content">
      <div class="card-head file-head">
        <h2 id="content">{pages.symlink}</h2>
        <span>{formatWholeSize(info.size)}</span>
        <Id oid={info.oid} />
      </div>
      <p class="note">
        {path
          ? pages.pointsAt(<a href={pathRoute(place.ref.rev, path)}>{name}</a>)
          : pages.pointsOutside(name)}
      </p>
    </section>
  )
}

/** Returns the target of a link as keys; `null` if that is outside the repository. */
function pathBehind(path: readonly PathPart[], target: Uint8Array): string[] | null {
  const keys = path.slice(0, -1).map((part) => part.key)
  const slash = '/'.charCodeAt(0)
  if (target.length === 0 || target[0] === slash) return null
  for (let at = 0; at <= target.length; ) {
    const found = target.indexOf(slash, at)
    const end = found < 0 ? target.length : found
    const key = encodeKey(target.subarray(at, end))
    if (key === '..' && keys.length === 0) return null
    if (key === '..') keys.pop()
    else if (key !== '' && key !== '.') keys.push(key)
    at = end + 1
  }
  return keys
}

import type { PathPart } from '../reading/page'
import { pathRoute } from '../route'
import { first } from '../words/first'
import { Name } from './text'

interface Props {
  readonly root: string
  readonly rev: string
  readonly path: readonly PathPart[]
}

export function Breadcrumbs({ root, rev, path }: Props) {
  const keys = path.map((part) => part.key)
  return (
    <nav class="breadcrumbs" aria-label={first.path}>
      <ol>
        <li>{path.length === 0 ? <b>{root}</b> : <a href={pathRoute(rev)}>{root}</a>}</li>
        {path.map((part, at) => (
          <li key={at}>
            {at === path.length - 1 ? (
              <b aria-current="page">
                <Name bytes={part.bytes} />
              </b>
            ) : (
              <a href={pathRoute(rev, keys.slice(0, at + 1))}>
                <Name bytes={part.bytes} />
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Notices in place of content: errors, waiting, a repository without commits. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { adviceFor } from '../reading/advice'
import type { Opened } from '../repository/opened'
import { branchLabel } from '../repository/refs'
import { pathRoute } from '../route'
import { first } from '../words/first'
import { Line } from './text'

interface FailureProps {
  readonly error: unknown
  /** Whether it is about opening a repository. */
  readonly opening?: boolean
  readonly children?: ComponentChildren
}

export function Failure({ error, opening, children }: FailureProps) {
  const { title, advice, detail } = adviceFor(error, opening)
  return (
    <section class="card failure" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      {detail ? (
        <p class="detail">
          <Line text={detail} />
        </p>
      ) : null}
      {children}
    </section>
  )
}

/** Says within a view why a part of it is missing; nothing without a text. */
export function FailureNote({ text }: { text: string }) {
  if (text === '') return null
  return (
    <p class="note error" role="alert">
      {text}
    </p>
  )
}

/** Shows itself after a moment: most pages are read by then. */
export function Waiting({ what, children }: { what: string; children?: ComponentChildren }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p class="note" role="status">
      {late ? (
        <>
          {what} {children}
        </>
      ) : null}
    </p>
  )
}

/** Says that the branch has no commits, and lists refs that have some. */
export function NoCommits({ opened, label }: { opened: Opened; label: string }) {
  const branches = opened.refs.filter((ref) => ref.oid !== null)
  const { target } = opened.head
  return (
    <section class="card failure">
      <h2>{first.noCommits}</h2>
      <p>
        {branches.length === 0 ? first.empty : ''}
        {opened.withoutRefs
          ? first.emptyPack
          : first.firstCommit(<Line text={target ? branchLabel(target) : label} />)}
      </p>
      {branches.length > 0 ? (
        <>
          <p>{first.thereAreRefs(branches.length)}</p>
          <ul>
            {branches.slice(0, 20).map((ref) => (
              <li key={ref.rev}>
                <a href={pathRoute(ref.rev)}>
                  <Line text={ref.label} />
                </a>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  )
}

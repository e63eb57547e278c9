import type { BlamedLines, CommitObject } from 'packlens'
import { useMemo, useRef, useState } from 'preact/hooks'
import { agesOf } from '../../../examples/data-source/ages'
import { languageOf } from '../highlight/languages'
import { subjectOf } from '../reading/history'
import type { Page } from '../reading/page'
import { nameOf } from '../reading/page'
import type { Opened } from '../repository/opened'
import { formatRoute, keysOf, pathRoute } from '../route'
import { shortId } from '../text/format'
import { useBlame } from '../use-blame'
import { useColors } from '../use-colors'
import { first } from '../words/first'
import { pages } from '../words/pages'
import { FailureNote } from './notices'
import { LineNumbers, PlainText } from './numbered-text'
import { Ago } from './person'
import { Line } from './text'

type FilePage = Extract<Page, { type: 'file' }>

/** Shows a file with the commits that last changed its lines. */
export function BlameView({ opened, page }: { opened: Opened; page: FilePage }) {
  const { content, place } = page
  const [ignores, setIgnores] = useState(true)
  const blame = useBlame(opened, place, ignores)
  const pre = useRef<HTMLPreElement>(null)
  const text = content.type === 'text' ? content.text : ''
  useColors(pre, languageOf(nameOf(place)), text)
  if (content.type !== 'text') return <p class="card note">{pages.blameNoText}</p>
  const ages = agesOf(blame.commits)
  // In the order in which they are found, keys and screen readers would jump between lines.
  const ranges = useMemo(
    () => [...blame.ranges].sort((one, other) => one.start - other.start),
    [blame.ranges],
  )
  return (
    <section class="card" aria-labelledby="content" aria-busy={!blame.done}>
      <div class="card-head file-head">
        <h2 id="content">{pages.blame}</h2>
        <span class="faint small" role="status">
          {blame.done || blame.failure ? '' : pages.walking}
        </span>
        {blame.ignored > 0 || !ignores ? (
          <button
            type="button"
            class="quiet"
            aria-pressed={ignores}
            title={pages.ignoresWhich}
            onClick={() => setIgnores(!ignores)}
          >
            {pages.ignores}
          </button>
        ) : null}
        <span class="ages small faint" aria-hidden="true">
          {pages.older} <i /> {pages.newer}
        </span>
      </div>
      {content.cut ? <p class="note">{pages.cut}</p> : null}
      <FailureNote text={blame.failure} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section class="numbered blame" aria-label={pages.content} tabIndex={0}>
        <ol class="blamed">
          {ranges.map((range) => (
            <Range
              key={range.start}
              range={range}
              commit={blame.commits.get(range.commit)}
              age={ages.get(range.commit) ?? 0}
            />
          ))}
        </ol>
        <LineNumbers text={text} />
        <PlainText text={text} element={pre} />
      </section>
    </section>
  )
}

interface RangeProps {
  readonly range: BlamedLines
  readonly commit: CommitObject | undefined
  /** From 0, the newest, to 1. */
  readonly age: number
}

function Range({ range, commit, age }: RangeProps) {
  const { start, count, previous, previousPathBytes } = range
  const top = `calc(0.75rem + ${start - 1} * var(--row))`
  const height = `calc(${count} * var(--row))`
  const before =
    previous && previousPathBytes
      ? pathRoute(`id:${previous.commit}`, keysOf(previousPathBytes), 'blame')
      : null
  return (
    <li style={{ top, height, '--age': `${Math.round(age * 100)}%` }}>
      <a href={formatRoute({ type: 'commit', oid: range.commit })} title={commit?.author.name}>
        {commit ? (
          <Line text={subjectOf(commit.message) || first.noMessage} />
        ) : (
          shortId(range.commit)
        )}
      </a>
      {commit ? <Ago signature={commit.author} /> : null}
      {before ? (
        <a class="before" href={before} title={pages.fileBefore}>
          <span aria-hidden="true">↶</span>
          <span class="unseen">{pages.fileBefore}</span>
        </a>
      ) : null}
    </li>
  )
}

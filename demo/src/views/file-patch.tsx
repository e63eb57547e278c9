import type { FilePatch, Hunk, HunkLine } from 'packlens'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { linesOf } from '../reading/changes'
import type { Opened } from '../repository/opened'
import { keysOf, pathRoute } from '../route'
import type { Span } from '../text/changed-words'
import { changedSpans } from '../text/changed-words'
import { splitRows } from '../text/diff-rows'
import { shortId } from '../text/format'
import { pages } from '../words/pages'
import type { Layout } from './changes'
import { ImagePair } from './image-pair'
import { Name } from './text'

/** Larger patches are shown on request. */
const MOST_LINES = 600

interface Props {
  readonly opened: Opened
  /** The revision after the change. */
  readonly rev: string
  readonly patch: FilePatch
  readonly layout: Layout
}

/** Shows what changed in a file. */
export function FilePatchView({ opened, rev, patch, layout }: Props) {
  const lines = linesOf(patch)
  const [shown, setShown] = useState(lines <= MOST_LINES)
  const { status, pathBytes, newOid, added, removed } = patch
  const name = <Name bytes={pathBytes} />
  const href = pathRoute(`id:${rev}`, keysOf(pathBytes))
  return (
    <section class="card patch" data-status={status}>
      <div class="card-head file-head">
        <h3>
          {patch.oldPath === patch.path ? null : (
            <span class="faint">
              <Name bytes={patch.oldPathBytes} /> →{' '}
            </span>
          )}
          {newOid === null ? name : <a href={href}>{name}</a>}
        </h3>
        <span class="mark">{statusText(patch)}</span>
        {patch.kind === 'text' ? (
          <span class="patch-size">
            <span class="added">+{added}</span> <span class="removed">−{removed}</span>
          </span>
        ) : null}
      </div>
      <Facts patch={patch} />
      {shown ? (
        <Body opened={opened} patch={patch} layout={layout} />
      ) : (
        <p class="note">
          <button type="button" onClick={() => setShown(true)}>
            {pages.showLines(lines)}
          </button>
        </p>
      )}
    </section>
  )
}

function statusText({ status, similarity }: FilePatch): string {
  const text = pages.statuses[status]
  return similarity === null ? text : pages.similar(text, similarity)
}

function Facts({ patch: { oldMode, newMode, oldOid, newOid } }: { patch: FilePatch }) {
  const isSubmodule = (oldMode ?? newMode) === SUBMODULE || newMode === SUBMODULE
  if (isSubmodule) {
    return (
      <p class="note">
        {pages.submoduleChange(
          oldOid && <code>{shortId(oldOid)}</code>,
          newOid && <code>{shortId(newOid)}</code>,
        )}
      </p>
    )
  }
  if (oldMode === null || newMode === null || oldMode === newMode) return null
  return <p class="note faint">{pages.mode(oldMode.toString(8), newMode.toString(8))}</p>
}

const SUBMODULE = 0o160000

function Body({ opened, patch, layout }: Omit<Props, 'rev'>) {
  if (patch.kind === 'too-large') return <p class="note">{pages.tooLarge}</p>
  if (patch.kind === 'binary') return <ImagePair opened={opened} patch={patch} />
  if (patch.hunks.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section class="scrolling" aria-label={pages.changedLines(patch.path)} tabIndex={0}>
      <table class={`diff diff-${layout}`}>
        {layout === 'split' ? <SplitColumns /> : null}
        {patch.hunks.map((hunk, at) => (
          <HunkRows key={at} hunk={hunk} layout={layout} />
        ))}
      </table>
    </section>
  )
}

/** Both sides are equally wide. */
function SplitColumns() {
  return (
    <colgroup>
      <col class="line-number" />
      <col />
      <col class="line-number" />
      <col />
    </colgroup>
  )
}

function HunkRows({ hunk, layout }: { hunk: Hunk; layout: Layout }) {
  const { oldStart, oldLines, newStart, newLines, heading, lines } = hunk
  const spans = changedSpans(lines)
  return (
    <tbody>
      <tr class="hunk">
        <td colSpan={4}>
          @@ -{oldStart},{oldLines} +{newStart},{newLines} @@ {heading}
        </td>
      </tr>
      {layout === 'unified'
        ? lines.map((line, at) => (
            <tr key={at} class={line.kind}>
              <td class="line-number">{line.oldLine}</td>
              <td class="line-number">{line.newLine}</td>
              <LineCell line={line} span={spans.get(line)} />
            </tr>
          ))
        : splitRows(lines).map(({ old, changed }, at) => (
            <tr key={at}>
              <Half line={old} number={old?.oldLine} span={old ? spans.get(old) : undefined} />
              <Half
                line={changed}
                number={changed?.newLine}
                span={changed ? spans.get(changed) : undefined}
              />
            </tr>
          ))}
    </tbody>
  )
}

interface HalfProps {
  readonly line: HunkLine | null
  readonly number: number | null | undefined
  readonly span: Span | undefined
}

function Half({ line, number, span }: HalfProps) {
  if (!line) return <td class="none" colSpan={2} />
  return (
    <>
      <td class={`line-number ${line.kind}`}>{number}</td>
      <LineCell line={line} span={span} className={line.kind} />
    </>
  )
}

const SIGNS = { context: ' ', added: '+', removed: '−' } as const

interface CellProps {
  readonly line: HunkLine
  readonly span: Span | undefined
  readonly className?: string
}

function LineCell({ line, span, className }: CellProps) {
  return (
    <td class={className} data-sign={SIGNS[line.kind]}>
      <Changed text={line.text} span={span} kind={line.kind} />
      {line.isUnterminated ? <span class="faint">{pages.noLineFeed}</span> : null}
    </td>
  )
}

function Changed(props: { text: string; span: Span | undefined; kind: HunkLine['kind'] }) {
  const { text, span, kind } = props
  if (!span || span.start === span.end) return <>{text || ' '}</>
  const inner: ComponentChildren = text.slice(span.start, span.end)
  return (
    <>
      {text.slice(0, span.start)}
      {kind === 'added' ? <ins>{inner}</ins> : <del>{inner}</del>}
      {text.slice(span.end)}
    </>
  )
}

import { parseLfsPointer } from 'packlens'
import { useEffect, useRef } from 'preact/hooks'
import { languageOf } from '../highlight/languages'
import type { Content } from '../reading/content'
import type { Lines } from '../route'
import { formatWholeSize } from '../text/format'
import { turnsText } from '../text/visible'
import { useColors } from '../use-colors'

type Text = Extract<Content, { type: 'text' }>

interface Props {
  readonly content: Text
  /** The name of the file, which tells its language. */
  readonly name: string
  /** The lines that the address names. */
  readonly lines?: Lines | undefined
  /** Called with the lines that the user chooses. */
  readonly onChoose?: (lines: Lines) => void
  /** Whether long lines are wrapped; they then have no numbers. */
  readonly wrapped?: boolean
}

/** Shows a text with line numbers. */
export function TextView(props: Props) {
  const { text } = props.content
  return (
    <>
      <EncodingNote content={props.content} />
      <LfsNote content={props.content} />
      {turnsText(text) ? (
        <p class="note warning">
          This text has characters that turn the direction of writing: parts of it may be in another
          order than they look.
        </p>
      ) : null}
      <Numbered {...props} />
    </>
  )
}

function EncodingNote({ content: { encoding } }: { content: Text }) {
  if (encoding === 'UTF-8') return null
  if (encoding !== 'unknown') return <p class="note">This text is in {encoding}.</p>
  return <p class="note">This text is not UTF-8. It is shown as Latin-1, which may be wrong.</p>
}

function LfsNote({ content }: { content: Text }) {
  const pointer = parseLfsPointer(content.text)
  if (!pointer) return null
  return (
    <p class="note warning">
      This is a pointer of Git LFS: the file itself, of {formatWholeSize(pointer.size)}, is not in
      the repository.
    </p>
  )
}

/**
 * Uses few text nodes for any length of text: a row for each line would be slow, and the browser
 * finds text in the page that is not visible.
 */
function Numbered({ content: { text }, name, lines, onChoose, wrapped = false }: Props) {
  const pre = useRef<HTMLPreElement>(null)
  useColors(pre, languageOf(name), text)
  const count = countLines(text)
  const choose = (line: number, extend: boolean) => {
    const other = extend && lines ? lines.first : line
    onChoose?.({ first: Math.min(line, other), last: Math.max(line, other) })
  }
  return (
    // The region scrolls on its own, so it must be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section class={wrapped ? 'numbered wrapped' : 'numbered'} aria-label="Content" tabIndex={0}>
      {lines && !wrapped && lines.first <= count ? (
        <ChosenLines first={lines.first} last={Math.min(lines.last, count)} />
      ) : null}
      {wrapped ? null : <LineNumbers text={text} onChoose={choose} />}
      <pre class="text" ref={pre}>
        <Parts text={text} />
      </pre>
    </section>
  )
}

interface NumbersProps {
  readonly text: string
  /** Called with a line that is clicked, and whether it ends a range. */
  readonly onChoose?: (line: number, extend: boolean) => void
}

/** Screen readers skip the numbers; the address chooses lines, too. */
export function LineNumbers({ text, onChoose }: NumbersProps) {
  const count = countLines(text)
  const choose = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    const line = lineAt(event.currentTarget, event.clientY)
    if (line >= 1 && line <= count) onChoose?.(line, event.shiftKey)
  }
  return (
    <pre class="numbers" aria-hidden="true" onClick={choose}>
      <Parts text={Array.from({ length: count }, (_, at) => at + 1).join('\n')} />
    </pre>
  )
}

/** The length at which a part ends with its line. */
const PART = 4 << 10

/**
 * Divides a text into elements of whole lines: to draw some, the browser looks at each line and at
 * each color of their element.
 */
export function Parts({ text }: { text: string }) {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at + PART)
    const end = feed < 0 ? text.length : feed + 1
    parts.push(text.slice(at, end))
    at = end
  }
  if (parts.length <= 1) return <>{text}</>
  return (
    <>
      {parts.map((part, at) => (
        <span key={at} class="part">
          {part}
        </span>
      ))}
    </>
  )
}

/** Marks the lines that the address names, and brings them into view. */
function ChosenLines({ first, last }: Lines) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = mark
    const box = current?.getBoundingClientRect()
    if (!box || (box.top >= 0 && box.top < innerHeight - 60)) return
    current?.scrollIntoView({ block: last - first < 20 ? 'center' : 'start' })
  }, [first, last])
  const top = `calc(0.75rem + ${first - 1} * var(--row))`
  const height = `calc(${last - first + 1} * var(--row))`
  return <div ref={mark} class="chosen-lines" style={{ top, height }} />
}

function lineAt(element: HTMLElement, y: number): number {
  const style = getComputedStyle(element)
  const inside = y - element.getBoundingClientRect().top - Number.parseFloat(style.paddingTop)
  return Math.floor(inside / Number.parseFloat(style.lineHeight)) + 1
}

/** A line feed at the end of the text begins no further line. */
function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

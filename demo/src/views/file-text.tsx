import { parseLfsPointer } from 'packlens'
import { useEffect, useRef } from 'preact/hooks'
import { languageOf } from '../highlight/languages'
import type { Content } from '../reading/content'
import type { Lines } from '../route'
import { formatWholeSize } from '../text/format'
import { countLines } from '../text/parts'
import { turnsText } from '../text/visible'
import { useColors } from '../use-colors'
import { pages } from '../words/pages'
import { LineNumbers, PlainText } from './numbered-text'

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
      {turnsText(text) ? <p class="note warning">{pages.turns}</p> : null}
      <Numbered {...props} />
    </>
  )
}

function EncodingNote({ content: { encoding } }: { content: Text }) {
  if (encoding === 'utf-8') return null
  if (encoding === 'unknown') return <p class="note">{pages.unknownEncoding}</p>
  return <p class="note">{pages.encoding(pages.encodings[encoding])}</p>
}

function LfsNote({ content }: { content: Text }) {
  const pointer = parseLfsPointer(content.text)
  if (!pointer) return null
  return <p class="note warning">{pages.lfs(formatWholeSize(pointer.size))}</p>
}

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
    <section
      class={wrapped ? 'numbered wrapped' : 'numbered'}
      aria-label={pages.content}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
      tabIndex={0}
    >
      {lines && !wrapped && lines.first <= count ? (
        <ChosenLines first={lines.first} last={Math.min(lines.last, count)} />
      ) : null}
      {wrapped ? null : <LineNumbers text={text} onChoose={choose} />}
      <PlainText text={text} element={pre} />
    </section>
  )
}

/** Pixels at the top of the window that the head of the file may cover. */
const HEAD = 56

/** Marks the lines that the address names, and brings them into view. */
function ChosenLines({ first, last }: Lines) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = mark
    const box = current?.getBoundingClientRect()
    if (!box || (box.top >= HEAD && box.top < innerHeight - 60)) return
    current?.scrollIntoView({ block: last - first < 20 ? 'center' : 'start' })
  }, [first, last])
  const top = `calc(0.75rem + ${first - 1} * var(--row))`
  const height = `calc(${last - first + 1} * var(--row))`
  return <div ref={mark} class="chosen-lines" style={{ top, height }} />
}

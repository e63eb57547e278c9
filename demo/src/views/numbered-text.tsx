import type { RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Part } from '../text/parts'
import { columnsOf, countLines, numbersTo, partsOf } from '../text/parts'
import { useSelection } from '../use-selection'

interface TextProps {
  readonly text: string
  readonly element: RefObject<HTMLPreElement | null>
}

/**
 * Shows a text of any length with few text nodes: an element for each line would be slow. The
 * browser lays out the parts near the view, and finds text in the others as well.
 */
export function PlainText({ text, element }: TextProps) {
  const [parts, columns] = useMemo(() => [partsOf(text), columnsOf(text)], [text])
  useSelection(element)
  return (
    // As wide as the longest line, also while that is in a part that has no layout.
    <pre class="text" ref={element} style={{ '--columns': columns }}>
      <Parts parts={parts} />
    </pre>
  )
}

interface NumbersProps {
  readonly text: string
  /** Called with a line that is clicked, and whether it ends a range. */
  readonly onChoose?: (line: number, extend: boolean) => void
}

/** Screen readers skip the numbers; the address chooses lines, too. */
export function LineNumbers({ text, onChoose }: NumbersProps) {
  const count = useMemo(() => countLines(text), [text])
  const parts = useMemo(() => numbersTo(count), [count])
  const choose = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    const line = lineAt(event.currentTarget, event.clientY)
    if (line >= 1 && line <= count) onChoose?.(line, event.shiftKey)
  }
  return (
    <pre
      class="numbers"
      aria-hidden="true"
      onClick={choose}
      style={{ '--columns': `${count}`.length }}
    >
      <Parts parts={parts} />
    </pre>
  )
}

function Parts({ parts }: { parts: readonly Part[] }) {
  if (parts.length <= 1) return <>{parts[0]?.text}</>
  return (
    <>
      {parts.map(({ text, lines }, at) => (
        <span key={at} class="part" style={{ '--lines': lines }}>
          {text}
        </span>
      ))}
    </>
  )
}

function lineAt(element: HTMLElement, y: number): number {
  const style = getComputedStyle(element)
  const inside = y - element.getBoundingClientRect().top - Number.parseFloat(style.paddingTop)
  return Math.floor(inside / Number.parseFloat(style.lineHeight)) + 1
}

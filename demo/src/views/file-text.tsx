import type { Content } from '../reading/content'
import { turnsText } from '../text/visible'

type Text = Extract<Content, { type: 'text' }>

/** Shows a text; `wrapped` is for prose, which needs no line numbers. */
export function TextView({ content, wrapped }: { content: Text; wrapped?: boolean }) {
  const { text, utf8 } = content
  return (
    <>
      {utf8 ? null : (
        <p class="note">This text is not UTF-8. It is shown as Latin-1, which may be wrong.</p>
      )}
      {turnsText(text) ? (
        <p class="note warning">
          This text has characters that turn the direction of writing: parts of it may be in another
          order than they look.
        </p>
      ) : null}
      {wrapped ? <pre class="prose">{text}</pre> : <Numbered text={text} />}
    </>
  )
}

/** Uses two text nodes for any length of text: a row for each line would be slow. */
function Numbered({ text }: { text: string }) {
  const lines = countLines(text)
  const numbers = Array.from({ length: lines }, (_, at) => at + 1).join('\n')
  return (
    // The region scrolls on its own, so it must be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section class="numbered" aria-label="Content" tabIndex={0}>
      <pre class="numbers" aria-hidden="true">
        {numbers}
      </pre>
      <pre class="text">{text}</pre>
    </section>
  )
}

/** A line feed at the end of the text begins no further line. */
function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

import { useCopied } from '../use-copied'
import { first } from '../words/first'
import { pages } from '../words/pages'

/** A button that copies the text of a file. */
export function CopyText({ text }: { text: string }) {
  const [copied, copy] = useCopied()
  return (
    <>
      <button type="button" onClick={() => copy(text)}>
        {copied ? first.copied : pages.copyText}
      </button>
      <span class="unseen" role="status">
        {copied ? pages.textCopied : ''}
      </span>
    </>
  )
}

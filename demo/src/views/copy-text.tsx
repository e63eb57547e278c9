import { useCopied } from '../use-copied'

/** A button that copies the text of a file. */
export function CopyText({ text }: { text: string }) {
  const [copied, copy] = useCopied()
  return (
    <>
      <button type="button" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy text'}
      </button>
      <span class="unseen" role="status">
        {copied ? 'The text was copied' : ''}
      </span>
    </>
  )
}

import { useCopied } from '../use-copied'
import { first } from '../words/first'

/** Shows an object id with a button that copies it. */
export function Id({ oid, kind = 'object' }: { oid: string; kind?: keyof typeof first.ids }) {
  const [copied, copy] = useCopied()
  const words = first.ids[kind]
  return (
    <span class="id">
      <code>{oid}</code>
      <button type="button" class="quiet" onClick={() => copy(oid)} aria-label={words.copy}>
        {copied ? first.copied : first.copy}
      </button>
      <span class="unseen" role="status">
        {copied ? words.copied : ''}
      </span>
    </span>
  )
}

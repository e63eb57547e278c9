import { useCopied } from '../use-copied'

/** Shows an object id with a button that copies it. */
export function Id({ oid, label = 'id' }: { oid: string; label?: string }) {
  const [copied, copy] = useCopied()
  return (
    <span class="id">
      <code>{oid}</code>
      <button
        type="button"
        class="quiet"
        onClick={() => copy(oid)}
        aria-label={`Copy the ${label}`}
      >
        {copied ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {copied ? `The ${label} was copied` : ''}
      </span>
    </span>
  )
}

import { useEffect, useState } from 'preact/hooks'

/** Shows an object id with a button that copies it. */
export function Id({ oid, label = 'id' }: { oid: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    navigator.clipboard.writeText(oid).then(
      () => setCopied(true),
      // The browser refused: the user can select the id beside the button.
      () => {},
    )
  }
  return (
    <span class="id">
      <code>{oid}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={`Copy the ${label}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {copied ? `The ${label} was copied` : ''}
      </span>
    </span>
  )
}

import { useEffect, useRef } from 'preact/hooks'

/** The keys of the page, and what they do: see use-keys.ts. */
const KEYS = [
  ['t', 'find a file'],
  ['/', 'search in files'],
  ['j, k, ↓, ↑', 'next and previous entry of a list'],
  ['h', 'the history of what is shown'],
  ['b', 'who last changed each line of a file'],
  ['y', 'an address that stays: the commit in place of the branch'],
  ['u', 'the folder above'],
  ['?', 'these keys'],
] as const

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys" onClose={onClose}>
      <h2 id="keys">Keys</h2>
      <dl>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}

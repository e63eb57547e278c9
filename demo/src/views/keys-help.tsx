import { useEffect, useRef } from 'preact/hooks'
import { pages } from '../words/pages'

/** Lists the keys of the page, and what they do: see page-keys.ts. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys" onClose={onClose}>
      <h2 id="keys">{pages.keysTitle}</h2>
      <dl>
        {Object.entries(pages.keys).map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        {pages.close}
      </button>
    </dialog>
  )
}

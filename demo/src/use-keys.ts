import { useLayoutEffect } from 'preact/hooks'

/** Calls what belongs to a key, unless the user is typing or a dialog is open. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  // At once: a key pressed before the next frame belongs to what is shown now.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const { target } = event
      // A dialog that was closed just now has the focus until the next frame.
      if (target instanceof Element && target.closest('input, select, textarea, dialog[open]'))
        return
      const action = actions[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
}

/** Moves the focus to the next link of a list, or the one before; the first if none has it. */
export function moveInList(step: 1 | -1): void {
  const links = [
    ...document.querySelectorAll<HTMLElement>(
      'main .files tbody th a, main .commits li a:first-of-type',
    ),
  ].filter((link) => link.offsetParent !== null)
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus()
}

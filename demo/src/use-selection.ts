import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Copies the selected text of an element as the file has it: browsers change its line ends and its
 * last one, and lay out all of a long file for that. Control and A in the region around the element
 * select its text rather than the page.
 */
export function useSelection(element: RefObject<HTMLElement | null>): void {
  // At once: an effect after the next frame would miss keys pressed before it.
  useLayoutEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    const copied = (event: ClipboardEvent) => {
      const { current } = element
      const selection = getSelection()
      // The selection within a field is not that of the page, which may still have one.
      if (!current || !selection || isField(event.target)) return
      const text = textWithin(selection, current)
      if (text === null) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
    }
    const pressed = (event: KeyboardEvent) => {
      const isAll = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'a'
      if (!isAll || !element.current) return
      event.preventDefault()
      getSelection()?.selectAllChildren(element.current)
    }
    document.addEventListener('copy', copied, { signal })
    element.current?.parentElement?.addEventListener('keydown', pressed, { signal })
    return () => listeners.abort()
  }, [])
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea') !== null
}

/** Returns the selected text with its own line ends; `null` if nothing or more than the element is selected. */
function textWithin(selection: Selection, element: HTMLElement): string | null {
  const ranges = Array.from({ length: selection.rangeCount }, (_, at) => selection.getRangeAt(at))
  const isWithin = ranges.every((range) => element.contains(range.commonAncestorContainer))
  if (selection.isCollapsed || !isWithin) return null
  return ranges.map((range) => range.toString()).join('\n')
}

import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { paint, tokensOf } from './highlight/highlighter'

/** Whether the system chooses colors. The browser would draw tokens as selected text then. */
const forcedColors = matchMedia('(forced-colors: active)')

/** Colors the text of an element, which has one text node. */
export function useColors(
  element: RefObject<HTMLElement | null>,
  language: string | null,
  text: string,
): void {
  useEffect(() => {
    const node = element.current?.firstChild
    if (language === null || !(node instanceof Text) || forcedColors.matches) return
    let isCurrent = true
    let remove = () => {}
    void tokensOf(language, text).then((tokens) => {
      if (isCurrent && node.data === text) remove = paint(node, tokens)
    })
    return () => {
      isCurrent = false
      remove()
    }
  }, [language, text])
}

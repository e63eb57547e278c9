import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { tokensOf } from './highlight/highlighter'
import { paint } from './highlight/paint'

/** Whether the system chooses colors. The browser would draw tokens as selected text then. */
const forcedColors = matchMedia('(forced-colors: active)')

/** Colors the text of an element. */
export function useColors(
  element: RefObject<HTMLElement | null>,
  language: string | null,
  text: string,
): void {
  useEffect(() => {
    const { current } = element
    if (language === null || !current || forcedColors.matches) return
    let isCurrent = true
    let remove = () => {}
    void tokensOf(language, text).then((tokens) => {
      if (isCurrent && current.textContent === text) remove = paint(current, tokens)
    })
    return () => {
      isCurrent = false
      remove()
    }
  }, [language, text])
}

import { useEffect, useState } from 'preact/hooks'

/** Copies text, and says for a moment that it was copied. */
export function useCopied(): [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // The browser refused: the user can select the text.
      () => {},
    )
  }
  return [copied, copy]
}

import { useEffect, useRef } from 'preact/hooks'
import { first } from '../words/first'

interface Props {
  readonly loading: boolean
  /** Differs each time that the list above has grown. */
  readonly version: number
  readonly onMore: () => void
}

/** Continues a list, also when it comes into view. */
export function MoreButton({ loading, version, onMore }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (loading || !button.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore())
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [loading, version])
  return (
    <button ref={button} type="button" disabled={loading} onClick={onMore}>
      {loading ? first.loading : first.more}
    </button>
  )
}

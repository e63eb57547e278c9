import { useEffect, useState } from 'preact/hooks'

/** Returns an address of bytes in this page; empty until there is one. */
export function useBlobUrl(mime: string, data: Uint8Array<ArrayBuffer>): string {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([data], { type: mime }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [mime, data])
  return url
}

import { useState } from 'preact/hooks'
import { useBlobUrl } from '../use-blob-url'
import { pages } from '../words/pages'
import { Bytes } from './bytes'

interface Props {
  readonly type: 'media' | 'document'
  readonly mime: string
  readonly data: Uint8Array<ArrayBuffer>
}

/** Plays sounds and films, and lets the browser open documents. */
export function MediaView({ type, mime, data }: Props) {
  const url = useBlobUrl(mime, data)
  const [broken, setBroken] = useState(false)
  if (!url) return null
  if (broken) {
    return <Bytes head={data} why={pages.cannotPlay(mime)} />
  }
  if (type === 'document') {
    return (
      <p class="note">
        <a href={url} target="_blank" rel="noopener noreferrer">
          {pages.openDocument}
        </a>
      </p>
    )
  }
  return (
    <figure class="image">
      {/* biome-ignore lint/a11y/useMediaCaption: a repository has no captions for its files */}
      <video controls src={url} onError={() => setBroken(true)} />
      <figcaption>{mime}</figcaption>
    </figure>
  )
}

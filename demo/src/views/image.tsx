import { useState } from 'preact/hooks'
import { useBlobUrl } from '../use-blob-url'
import { pages } from '../words/pages'
import { Bytes } from './bytes'

interface Props {
  readonly mime: string
  readonly data: Uint8Array<ArrayBuffer>
}

/** Shows an image; its bytes if the browser cannot decode it. */
export function ImageView({ mime, data }: Props) {
  const url = useBlobUrl(mime, data)
  const [about, setAbout] = useState('')
  const [broken, setBroken] = useState(false)
  if (!url) return null
  const loaded = ({ currentTarget }: { currentTarget: HTMLImageElement }) =>
    setAbout(pages.imageSize(mime, currentTarget.naturalWidth, currentTarget.naturalHeight))
  if (broken) {
    return <Bytes head={data} why={pages.cannotShow(mime)} />
  }
  return (
    <figure class="image">
      <img src={url} alt={pages.imageText} onLoad={loaded} onError={() => setBroken(true)} />
      <figcaption>{about}</figcaption>
    </figure>
  )
}

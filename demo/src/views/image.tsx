import { useState } from 'preact/hooks'
import { useBlobUrl } from '../use-blob-url'
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
    setAbout(`${mime}, ${currentTarget.naturalWidth} × ${currentTarget.naturalHeight} pixels`)
  if (broken) {
    return <Bytes head={data} why={`This begins like ${mime}, but the browser cannot show it.`} />
  }
  return (
    <figure class="image">
      <img
        src={url}
        alt="The content of this file"
        onLoad={loaded}
        onError={() => setBroken(true)}
      />
      <figcaption>{about}</figcaption>
    </figure>
  )
}

import { useEffect, useState } from 'preact/hooks'

interface Props {
  readonly mime: string
  readonly data: Uint8Array<ArrayBuffer>
}

/** An image, shown by the browser. If that cannot, it is damaged. */
export function ImageView({ mime, data }: Props) {
  const [url, setUrl] = useState('')
  const [about, setAbout] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([data], { type: mime }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [mime, data])
  if (!url) return null
  const loaded = ({ currentTarget }: { currentTarget: HTMLImageElement }) =>
    setAbout(`${mime}, ${currentTarget.naturalWidth} × ${currentTarget.naturalHeight} pixels`)
  const failed = () => setAbout(`It says that it is ${mime}, but the browser cannot show it.`)
  return (
    <figure class="image">
      <img src={url} alt="The content of this file" onLoad={loaded} onError={failed} />
      <figcaption>{about}</figcaption>
    </figure>
  )
}

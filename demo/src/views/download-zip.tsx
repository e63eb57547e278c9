import { useRef, useState } from 'preact/hooks'
import { adviceFor } from '../reading/advice'
import type { Page } from '../reading/page'
import { pathBytesOf, rootOf } from '../reading/page'
import type { Opened } from '../repository/opened'
import { formatSize } from '../text/format'
import { first } from '../words/first'
import { download, nameToSave } from './download'

type TreePage = Extract<Page, { type: 'tree' }>

/** Packs a folder as a zip file, as `git archive` does. */
export function DownloadZip({ opened, page: { place } }: { opened: Opened; page: TreePage }) {
  const [progress, setProgress] = useState('')
  const stop = useRef<AbortController | null>(null)
  const start = () => {
    if (stop.current) return stop.current.abort()
    const controller = new AbortController()
    stop.current = controller
    setProgress('…')
    const name = place.path.at(-1)?.bytes ?? new TextEncoder().encode(opened.name)
    const save = async () => {
      const chunks: Uint8Array<ArrayBuffer>[] = []
      let size = 0
      const paths = pathBytesOf(place)
      const options = { format: 'zip', ...(paths.length > 0 && { paths }) } as const
      const zip = opened.repo.archive(rootOf(place), { ...options, signal: controller.signal })
      for await (const chunk of zip) {
        chunks.push(new Uint8Array(chunk))
        size += chunk.length
        setProgress(formatSize(size))
      }
      download(chunks, `${nameToSave(name, 'files')}.zip`)
      setProgress('')
    }
    opened.meter
      .beside(() => first.actions.archive, save)
      .catch((error: unknown) => {
        setProgress(controller.signal.aborted ? '' : adviceFor(error).title)
      })
      .finally(() => {
        stop.current = null
      })
  }
  return (
    <button type="button" class="zip" onClick={start}>
      {stop.current ? first.stopZip(progress) : first.zip}
    </button>
  )
}

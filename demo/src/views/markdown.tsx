import { useEffect, useRef, useState } from 'preact/hooks'
import { joined } from '../../../examples/data-source/paths'
import { readBlob } from '../reading/content'
import type { PathPart } from '../reading/page'
import type { Opened } from '../repository/opened'
import type { PathKey } from '../route'
import { bytesOf } from '../route'
import { useLeft } from '../use-left'
import { first } from '../words/first'

interface Props {
  readonly opened: Opened
  readonly rev: string
  /** The id of the commit or tree whose files the text links to. */
  readonly root: string
  /** The folder of the text. */
  readonly folder: readonly PathPart[]
  readonly text: string
}

/** Shows Markdown; as it is written, if the renderer cannot be loaded. */
export function Markdown({ opened, rev, root, folder, text }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)
  const keys = folder.map((part) => part.key)
  const left = useLeft()
  useEffect(() => {
    let isCurrent = true
    let end = () => {}
    const image = (path: readonly PathKey[]) => readImage(opened, root, path)
    const show = async () => {
      const [{ blocksOf, render }, { Finisher }] = await Promise.all([
        import('../markdown/render'),
        import('../markdown/finish'),
      ])
      const blocks = await blocksOf(text)
      if (!isCurrent) return
      const finisher = new Finisher({ rev, folder: keys, image })
      end = () => finisher.end()
      place.current?.replaceChildren()
      for (const block of blocks) {
        const content = render(block)
        finisher.finish(content)
        place.current?.append(content)
        // The page draws, and answers the user, between two blocks.
        await new Promise((resolve) => setTimeout(resolve))
        if (!isCurrent || left.aborted) return
      }
    }
    show().catch(() => isCurrent && setFailed(true))
    return () => {
      isCurrent = false
      end()
    }
  }, [opened.repo, rev, root, keys.join('/'), text, left])
  if (failed) return <pre class="prose">{text}</pre>
  return <div class="markdown" ref={place} />
}

async function readImage(
  { repo, meter }: Opened,
  root: string,
  path: readonly PathKey[],
): Promise<Blob | null> {
  const name = new TextDecoder().decode(joined(path.map(bytesOf)))
  const content = await meter.beside(
    () => first.actions.image,
    async () => {
      const info = await repo.info(`${root}:${name}`)
      return info.type === 'blob' ? (await readBlob(repo, info.oid)).content : null
    },
  )
  if (content?.type === 'image') return new Blob([content.data], { type: content.mime })
  // An image cannot run the scripts of an SVG, nor load what it names.
  const isDrawing = content?.type === 'text' && !content.cut && name.endsWith('.svg')
  return isDrawing ? new Blob([content.text], { type: 'image/svg+xml' }) : null
}

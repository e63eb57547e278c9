import type { FilePatch } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import type { Content } from '../reading/content'
import { readBlob } from '../reading/content'
import type { Opened } from '../repository/opened'
import { formatWholeSize } from '../text/format'
import { pages } from '../words/pages'
import { ImageView } from './image'

interface Side {
  readonly size: number
  readonly content: Content
}

/** Shows both sides of a binary file: the images, or only the sizes. */
export function ImagePair({ opened, patch }: { opened: Opened; patch: FilePatch }) {
  const { oldOid, newOid } = patch
  return (
    <div class="pair">
      {oldOid ? <OneSide key={oldOid} opened={opened} title={pages.before} oid={oldOid} /> : null}
      {newOid ? <OneSide key={newOid} opened={opened} title={pages.after} oid={newOid} /> : null}
    </div>
  )
}

function OneSide({ opened, title, oid }: { opened: Opened; title: string; oid: string }) {
  const [side, setSide] = useState<Side | null>(null)
  useEffect(() => {
    let isCurrent = true
    opened.meter
      .within(() => readSide(opened, oid))
      // A file that cannot be read shows no size.
      .then(
        (read) => isCurrent && setSide(read),
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [opened.repo, oid])
  return (
    <div>
      <p class="note">
        {side
          ? pages.side(title, formatWholeSize(side.size), side.content.type === 'image')
          : pages.side(title, '…', true)}
      </p>
      {side?.content.type === 'image' ? (
        <ImageView mime={side.content.mime} data={side.content.data} />
      ) : null}
    </div>
  )
}

async function readSide({ repo }: Opened, oid: string): Promise<Side> {
  const { info, content } = await readBlob(repo, oid)
  return { size: info.size, content }
}

import { useEffect, useState } from 'preact/hooks'
import type { MoreViews } from '../load-more'
import { loadMore } from '../load-more'
import type { Opened } from '../repository/opened'
import { first } from '../words/first'
import { Failure } from './notices'

export type DialogName = 'finder' | 'keys'

interface Props {
  readonly name: DialogName
  readonly opened: Opened
  readonly rev: string
  readonly onClose: () => void
}

/** Opens a dialog. Its code comes with the pages after the first one; without it the page says why. */
export function Dialog({ name, opened, rev, onClose }: Props) {
  const [more, setMore] = useState<MoreViews | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    loadMore().then(setMore, setFailure)
  }, [])
  if (failure !== null) {
    return (
      <Failure error={failure}>
        <button type="button" onClick={onClose}>
          {first.dismiss}
        </button>
      </Failure>
    )
  }
  if (!more) return null
  const { Finder, KeysHelp } = more
  if (name === 'keys') return <KeysHelp onClose={onClose} />
  return <Finder opened={opened} rev={rev} onClose={onClose} />
}

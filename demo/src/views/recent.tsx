import { useEffect, useState } from 'preact/hooks'
import type { Opened } from '../repository/opened'
import { pageOf } from '../repository/page-address'
import type { Recent } from '../repository/recent'
import { recents, reopened } from '../repository/recent'
import type { Start } from '../use-opening'
import { first } from '../words/first'
import { Line } from './text'

/** Lists the repositories that were opened before. */
export function RecentPicker({ opened, onOpen }: { opened: Opened | null; onOpen: Start }) {
  const [known, setKnown] = useState<readonly Recent[]>([])
  useEffect(() => void recents().then(setKnown), [opened])
  if (known.length === 0) return null
  const open = (id: string) => {
    const recent = known.find((one) => one.id === id)
    if (recent?.address !== undefined) location.assign(pageOf(recent.address))
    else if (recent) onOpen(() => reopened(recent))
  }
  return (
    <select
      aria-label={first.recent}
      value=""
      onChange={({ currentTarget }) => open(currentTarget.value)}
    >
      <option value="">{first.recentHint}</option>
      {known.map(({ id, name, address }) => (
        <option key={id} value={id}>
          {address ? `${name} (${new URL(address).host})` : name}
        </option>
      ))}
    </select>
  )
}

/** Asks for a click, without which the browser does not let the page read a folder again. */
export function OpenAgain({ recent, onOpen }: { recent: Recent; onOpen: Start }) {
  return (
    <main id="main" class="page" tabIndex={-1}>
      <section class="card failure">
        <h2>{first.showsFolder(<Line text={recent.name} />)}</h2>
        <p>{first.asksBefore}</p>
        <button type="button" onClick={() => onOpen(() => reopened(recent), { keepRoute: true })}>
          {first.openAgain}
        </button>
      </section>
    </main>
  )
}

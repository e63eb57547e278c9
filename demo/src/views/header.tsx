import type { Opened } from '../repository/opened'
import type { Start } from '../use-opening'
import { first } from '../words/first'
import { OpenButtons } from './open-buttons'
import { Line } from './text'

export function Header({ opened, onOpen }: { opened: Opened | null; onOpen: Start }) {
  return (
    <header class="header">
      <div class="title">
        <h1>
          <Line text={opened?.name ?? 'packlens'} />
        </h1>
        <p class="faint">{opened ? opened.about : first.about}</p>
      </div>
      <OpenButtons opened={opened} onOpen={onOpen} />
    </header>
  )
}

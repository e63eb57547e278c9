import type { Opened } from '../repository/opened'
import type { Start } from '../use-opening'
import { first } from '../words/first'
import type { Language } from '../words/language'
import { LanguageButtons } from './language-buttons'
import { OpenButtons } from './open-buttons'
import { Line } from './text'

interface Props {
  readonly opened: Opened | null
  readonly onOpen: Start
  readonly onLanguage: (language: Language) => void
}

export function Header({ opened, onOpen, onLanguage }: Props) {
  return (
    <header class="header">
      <div class="title">
        <h1>
          <Line text={opened?.name ?? 'packlens'} />
        </h1>
        <LanguageButtons onChoose={onLanguage} />
        <p class="faint">{opened ? opened.about() : first.about}</p>
      </div>
      <OpenButtons opened={opened} onOpen={onOpen} />
    </header>
  )
}

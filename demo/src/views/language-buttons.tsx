import { first } from '../words/first'
import type { Language } from '../words/language'
import { currentLanguage, LANGUAGES } from '../words/language'

/** Buttons for the other languages; each is called as it calls itself. */
export function LanguageButtons({ onChoose }: { onChoose: (language: Language) => void }) {
  const others = LANGUAGES.filter(({ language }) => language !== currentLanguage())
  return (
    <nav aria-label={first.language}>
      {others.map(({ language, name }) => (
        <button
          key={language}
          type="button"
          class="quiet"
          lang={language}
          onClick={() => onChoose(language)}
        >
          {name}
        </button>
      ))}
    </nav>
  )
}

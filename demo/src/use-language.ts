import { useState } from 'preact/hooks'
import { loadPart } from './load-part'
import { store, stored } from './use-stored'
import type { Language } from './words/language'
import { currentLanguage, LANGUAGES, setLanguage } from './words/language'

const STORED = 'language'

/** Returns the language that was chosen on an earlier visit, or the first one of the browser's. */
export function preferredLanguage(): Language {
  const wanted = [stored(STORED) ?? '', ...navigator.languages]
  const known = wanted.map((name) => {
    return LANGUAGES.find(({ language }) => language === name.split('-')[0])?.language
  })
  return known.find((language) => language !== undefined) ?? 'en'
}

/** Changes the language of the page; it stays as it is if the text cannot be loaded. */
export async function loadLanguage(language: Language): Promise<void> {
  const words = language === 'en' ? {} : await loadPart(() => import('./words/de'))
  setLanguage(language, words)
  document.documentElement.lang = language
}

/** Returns the language of the page, and a function that changes it for this and later visits. */
export function useLanguage(): [Language, (language: Language) => void] {
  const [language, setCurrent] = useState(currentLanguage)
  const change = (next: Language) => {
    store(STORED, next)
    loadLanguage(next).then(
      () => setCurrent(next),
      // The page works in the language that it has.
      () => {},
    )
  }
  return [language, change]
}

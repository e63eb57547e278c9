import { render } from 'preact'
import { App } from './app'
import { trustOwnScripts } from './trusted-types'
import { loadLanguage, preferredLanguage } from './use-language'

trustOwnScripts()
const root = document.getElementById('app')
if (root) {
  loadLanguage(preferredLanguage())
    // The page works without the text of another language.
    .catch(() => {})
    .then(() => render(<App />, root))
}

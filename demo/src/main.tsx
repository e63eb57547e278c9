import { render } from 'preact'
import { App } from './app'
import { trustOwnScripts } from './trusted-types'

trustOwnScripts()
const root = document.getElementById('app')
if (root) render(<App />, root)

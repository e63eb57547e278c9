import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RepositoryView } from './RepositoryView'

const url = new URLSearchParams(location.search).get('repo') ?? 'project.git'
const root = createRoot(document.body)
root.render(
  <StrictMode>
    <RepositoryView url={url} />
  </StrictMode>,
)
addEventListener('close-view', () => root.unmount())

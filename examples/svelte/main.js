import { mount, unmount } from 'svelte'
import RepositoryView from './RepositoryView.svelte'

const url = new URLSearchParams(location.search).get('repo') ?? 'project.git'
const view = mount(RepositoryView, { target: document.body, props: { url } })
addEventListener('close-view', () => unmount(view))

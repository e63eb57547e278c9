/** The views that the first page does not need: they are loaded with the first link to one. */
export { BlameView } from './blame'
export { CommitView } from './commit'
export { CompareView } from './compare'
export { HistoryView } from './history'
export { SymlinkView } from './links'
export { RefsView } from './refs'
export { SearchView } from './search'
export { SubmoduleView } from './submodule'

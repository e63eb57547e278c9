/** The stores of folders, loaded with the first that is opened. */
export { directoryStore } from '../source/directory.js'
export { fileListStore } from '../source/file-list.js'
export { fsStore } from '../source/fs-store.js'

/** The store of a repository on a server, loaded with the first that is opened. */
export { urlStore } from '../source/url/store.js'

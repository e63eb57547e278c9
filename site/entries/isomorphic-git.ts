/**
 * The functions of isomorphic-git that read, with its parameters, shapes and errors.
 *
 * @module isomorphic-git
 */
export * from '../../dist/api/isomorphic-git/index.js'
export { default } from '../../dist/api/isomorphic-git/index.js'

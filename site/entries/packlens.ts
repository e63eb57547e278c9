/**
 * Opens repositories, and reads objects, trees, histories, changes and refs.
 *
 * The declarations are those of Node. In a browser a path is an address, and `indexPack`,
 * `checkPack` and `showIndex` take bytes.
 *
 * @module packlens
 */
export * from '../../dist/api/index.node.js'

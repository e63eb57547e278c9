import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: a build works in any folder of any server.
  base: './',
  // As its users have to: bundled in advance, it would look for its module beside the bundle.
  optimizeDeps: { exclude: ['packlens'] },
  build: {
    target: 'es2022',
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // Its grammars are modules of their own.
  worker: { format: 'es' },
  server: { fs: { allow: ['.', '../dist', '../examples/data-source', '../node_modules'] } },
})

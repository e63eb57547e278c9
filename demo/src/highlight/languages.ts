/** Says which language a file is written in. */

/** The languages, each with the names and extensions of its files. */
const LANGUAGES = [
  'bash sh zsh ksh bats .bashrc .profile',
  'c h',
  'clojure clj cljs edn',
  'cmake CMakeLists.txt',
  'cpp cc cxx hpp hh hxx c++',
  'csharp cs',
  'css',
  'dart',
  'diff patch',
  'dockerfile Dockerfile',
  'elixir ex exs',
  'erlang erl hrl',
  'go',
  'graphql gql',
  'haskell hs',
  'ini toml cfg conf .gitconfig .gitmodules .editorconfig Cargo.lock',
  'java',
  'javascript js mjs cjs jsx',
  'json json5 jsonc webmanifest',
  'kotlin kt kts',
  'latex tex sty cls',
  'less',
  'lisp el lsp',
  'lua',
  'makefile Makefile mk mak GNUmakefile',
  'markdown md mkd',
  'nix',
  'objectivec m mm',
  'ocaml ml mli',
  'perl pl pm t',
  'php',
  'powershell ps1 psm1',
  'protobuf proto',
  'python py pyi pyw',
  'r',
  'ruby rb gemspec Rakefile Gemfile',
  'rust rs',
  'scala sbt',
  'scss',
  'sql',
  'swift',
  'tcl',
  'typescript ts mts cts tsx',
  'vim vimrc',
  'x86asm asm s',
  'xml html htm svg xhtml xsl plist vue svelte',
  'yaml yml',
] as const

type FirstWord<Words> = Words extends `${infer First} ${string}` ? First : Words

/** Every language: one without a grammar does not compile. */
export type Language = FirstWord<(typeof LANGUAGES)[number]>

const BY_WORD = new Map<string, string>()
for (const words of LANGUAGES) {
  const [language = '', ...others] = words.split(' ')
  for (const word of [language, ...others]) BY_WORD.set(word.toLowerCase(), language)
}

/** Returns the language of a file, or of a name such as `js`; `null` if it is not known. */
export function languageOf(name: string): string | null {
  const plain = name.toLowerCase()
  return BY_WORD.get(plain) ?? BY_WORD.get(plain.slice(plain.lastIndexOf('.') + 1)) ?? null
}

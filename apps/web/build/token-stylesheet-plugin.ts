import type { Plugin } from 'vite'
import { tokenStylesheet } from '../src/ui/theme/tokens.ts'

const NAME = 'virtual:tokens.css'

/** Serves the TypeScript tokens as the style sheet `virtual:tokens.css`. */
export function tokenStylesheetPlugin(): Plugin {
  return {
    name: 'token-stylesheet',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? tokenStylesheet() : undefined),
  }
}

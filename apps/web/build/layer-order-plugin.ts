import type { Plugin } from 'vite'

/** Later layers win: bare links and headings, then Mantine's components. What is in no layer wins over all: everything of ours. */
const ORDER = '@layer base, mantine;\n'

/** Every style sheet of Mantine says the order of the layers, since the first that a page loads settles it. */
export function layerOrderPlugin(): Plugin {
  return {
    name: 'layer-order',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.layer.css') ? { code: ORDER + code, map: null } : undefined),
  }
}

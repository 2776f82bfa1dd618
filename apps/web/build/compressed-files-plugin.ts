import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Nearly as small as the highest, at a tenth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const GZIP = { level: 9 }

/** Compresses scripts and style sheets once and for all: the server would do it again for every visitor. */
export function compressedFilesPlugin(): Plugin {
  let folder = 'dist/assets'
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir, build.assetsDir)
    },
    closeBundle: () => {
      for (const name of readdirSync(folder).filter((file) => /\.(js|css)$/.test(file))) {
        const content = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, BROTLI))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, GZIP))
      }
    },
  }
}

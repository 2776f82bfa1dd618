import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { projectFolder } from '../src/config.ts'
import { PROGRAM_SOURCES } from './program-files.ts'

const source = join(projectFolder, 'apps/server')
const ENTRIES = {
  ...PROGRAM_SOURCES,
  'compute-thread': 'apps/server/src/workers/compute-thread.ts',
  tasks: 'apps/server/src/workers/tasks.ts',
}
/** Packages of hundreds of small modules. All others stay where they are, next to the files that they read. */
const BUNDLED_PACKAGES = ['zod', 'kysely', 'openai', 'jose', 'cron-parser']

/**
 * Writes the programs as few large files: they start in half the processor time of 2,300 small ones, and tests start them
 * dozens of times. Code and addresses of files stay the same.
 */
export async function bundlePrograms(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: ENTRIES,
    platform: 'node',
    cwd: projectFolder,
    external: (id) => !isBundled(id),
    // A program that takes something from a file of the test support does not assert: it need not load the test runner.
    treeshake: { moduleSideEffects: (id) => id !== 'vitest' },
    plugins: [
      {
        name: 'places',
        transform: { filter: { code: 'import.meta.url' }, handler: (code, id) => keepPlaces(code, id) },
      },
    ],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
}

function isBundled(id: string): boolean {
  const isFile = id.startsWith('.') || id.startsWith('/') || id.startsWith('@tradewright/')
  return isFile || BUNDLED_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`))
}

/** A module still finds what lies beside its source; the threads of a bundled program are bundled, too. */
function keepPlaces(code: string, id: string): string | undefined {
  if (!id.startsWith(source)) return undefined
  return code
    .replace(
      /'\.{1,2}\/(?:workers\/)?(compute-thread|tasks)\.ts', import\.meta\.url/g,
      `'./$1.mjs', import.meta['url']`,
    )
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
}

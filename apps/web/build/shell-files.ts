import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from 'vite'

/** The build's output by source file; throws when there is no build in `dist`. */
export function readManifest(dist: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  return manifest
}

/**
 * Every file that the given entries need before they can show: their chunks, the chunks these import statically,
 * their style sheets and fonts. Dynamic imports are not followed.
 */
export function filesOf(manifest: Manifest, entries: string[]): string[] {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    const chunk = manifest[name]
    if (!chunk) throw new Error(`the build's manifest has no entry ${name}`)
    files.add(chunk.file)
    for (const file of [...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return [...files].sort()
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesOf, readManifest } from './build/shell-files.ts'

const SIGN_IN_ENTRIES = ['index.html']

interface SignInBundle {
  /** Bytes over the wire with gzip, of all scripts that the sign-in page needs before it is usable. */
  gzippedBytes: number
  files: { file: string; gzippedBytes: number }[]
}

/** Reads the build in `dist`; throws when the web app has not been built. */
export function signInBundle(dist: string): SignInBundle {
  const scripts = [...filesOf(readManifest(dist), SIGN_IN_ENTRIES).filter((file) => file.endsWith('.js')), 'theme.js']
  const files = scripts.map((file) => ({ file, gzippedBytes: gzipSync(readFileSync(join(dist, file))).length }))
  return { files, gzippedBytes: files.reduce((sum, { gzippedBytes }) => sum + gzippedBytes, 0) }
}

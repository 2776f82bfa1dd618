import { join } from 'node:path'
import { signInBundle } from '../apps/web/bundle-size.ts'
import { benchRow, type Bench } from './bench.ts'

const DIST = join(import.meta.dirname, '..', 'apps', 'web', 'dist')

/** The files that a browser loads before one can sign in. */
const bundle: Bench = {
  name: 'bundle',
  async run(report) {
    const { gzippedBytes } = signInBundle(DIST)
    const goal = { on: 'ours', under: 200 } as const
    report(benchRow({ bench: 'bundle/sign-in', ours: gzippedBytes / 1000, unit: 'kB gzipped', goal }))
    return Promise.resolve()
  },
}
export default bundle

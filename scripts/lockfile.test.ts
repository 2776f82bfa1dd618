import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

interface Lockfile {
  packages: Record<string, { link?: boolean; integrity?: string; resolved?: string }>
}

/** Without an address npm reads the list of all versions of each package first: twice the processor time of an installation. */
it('names the address and the checksum of every package', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const incomplete = Object.entries(packages).filter(
    ([path, { link, integrity, resolved }]) =>
      path.includes('node_modules/') &&
      !link &&
      !(integrity?.startsWith('sha512-') && resolved?.startsWith('https://registry.npmjs.org/')),
  )
  expect(incomplete).toEqual([])
})

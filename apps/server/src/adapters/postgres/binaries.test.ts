import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { completeInstallation, readableCopy } from './cluster.ts'

const LIBRARY = 'libicuuc.so.60'

/** A package as npm installs it: the links are there already, beside their files. */
function installed(): { native: string; folder: string } {
  const folder = temporaryFolder()
  const native = join(folder, 'private', 'native')
  for (const name of ['bin', 'lib']) mkdirSync(join(native, name), { recursive: true })
  writeFileSync(join(native, 'bin', 'postgres'), '')
  writeFileSync(join(native, 'lib', `${LIBRARY}.2`), 'a library')
  const links = [{ source: `native/lib/${LIBRARY}.2`, target: `native/lib/${LIBRARY}` }]
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
  symlinkSync(`${LIBRARY}.2`, join(native, 'lib', LIBRARY))
  return { native, folder }
}

it('copies programs so that they need nothing of the folder that they come from', () => {
  const { native, folder } = installed()
  const copy = readableCopy(native, '1', join(folder, 'cache'))
  completeInstallation(copy, native)
  renameSync(join(folder, 'private'), join(folder, 'gone'))
  expect(readFileSync(join(copy, 'lib', LIBRARY), 'utf8')).toBe('a library')
})

it('repairs a copy whose links lead back to that folder', () => {
  const { native, folder } = installed()
  const copy = readableCopy(native, '1', join(folder, 'cache'))
  const link = join(copy, 'lib', LIBRARY)
  rmSync(link)
  symlinkSync(join(native, 'lib', `${LIBRARY}.2`), link)
  completeInstallation(copy, native)
  expect(readlinkSync(link)).toBe(`${LIBRARY}.2`)
})

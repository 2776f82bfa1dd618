import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '@tradewright/core/problem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContainedFolder } from './contained-folder.ts'

describe('a folder that is not left', () => {
  let root: string
  let elsewhere: string
  let folder: ContainedFolder
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'tradewright-contained-')))
    elsewhere = join(root, 'elsewhere')
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'victim.txt'), 'unharmed')
    folder = new ContainedFolder(join(root, 'stores'), 'user-1')
    await folder.write('gold/own.txt', 'own')
  })
  afterEach(() => rm(root, { recursive: true }))

  /** Every operation that takes a path. */
  const operations: Record<string, (path: string) => Promise<unknown>> = {
    at: (path) => folder.at(path),
    'at a new name': (path) => folder.atNew(path),
    read: (path) => folder.readText(path, 100),
    write: (path) => folder.write(path, 'owned'),
    checksum: (path) => folder.checksum(path, 'sha256'),
    'rename to': (path) => folder.rename('gold/own.txt', path),
    'rename from': (path) => folder.rename(path, 'gold/taken.txt'),
    sync: (path) => folder.syncFile(path),
    'sync its folder': (path) => folder.syncFolderOf(path),
    touch: (path) => folder.touch(path, new Date()),
    remove: (path) => folder.remove(path),
    list: (path) => folder.list(path),
    'remove all': async (path) => folder.folder(path).removeAll(),
  }

  const unharmed = async () => {
    expect(await readdir(elsewhere)).toEqual(['victim.txt'])
    expect(await readFile(join(elsewhere, 'victim.txt'), 'utf8')).toBe('unharmed')
  }

  const ways = [
    '../../elsewhere/victim.txt',
    'gold/../../../elsewhere/victim.txt',
    '..',
    '.',
    'gold//own.txt',
    '/etc/passwd',
  ]
  const strange = ['gold\\..\\..\\victim.txt', 'gold/\0', 'gold/a\nb', 'C:/victim.txt', 'gold/']
  for (const [name, operation] of Object.entries(operations)) {
    it.each([...ways, ...strange])(`${name}: refuses %j`, async (path) => {
      await expect(operation(path)).rejects.toThrow('refuses a path that leaves its folder')
      await unharmed()
    })

    it(`${name}: follows no link, to a folder, to a file or to nothing`, async () => {
      await symlink(elsewhere, join(root, 'stores', 'user-1', 'linked'))
      await symlink(join(elsewhere, 'victim.txt'), join(root, 'stores', 'user-1', 'gold', 'linked.txt'))
      await symlink(join(elsewhere, 'new.txt'), join(root, 'stores', 'user-1', 'gold', 'dangling.txt'))
      for (const path of ['linked/victim.txt', 'linked/new.txt', 'gold/linked.txt', 'gold/dangling.txt']) {
        await expect(operation(path)).rejects.toThrow('refuses a path that leaves its folder')
      }
      await unharmed()
    })
  }

  it('takes an encoded way out for the plain name that it is', async () => {
    await folder.write('gold/%2e%2e%2f%2e%2e%2fvictim.txt', 'own')
    expect(await readdir(join(root, 'stores', 'user-1', 'gold'))).toContain('%2e%2e%2f%2e%2e%2fvictim.txt')
    await unharmed()
  })

  it('is not itself a link, though what the operator chose may be', async () => {
    await symlink(join(root, 'stores'), join(root, 'by-link'))
    expect(await new ContainedFolder(join(root, 'by-link'), 'user-1').readText('gold/own.txt', 10)).toBe('own')
    await symlink(elsewhere, join(root, 'stores', 'user-2'))
    await expect(new ContainedFolder(join(root, 'stores'), 'user-2').removeAll()).rejects.toThrow(Problem)
    await unharmed()
  })

  it('lists and removes links as what they are', async () => {
    await symlink(elsewhere, join(root, 'stores', 'user-1', 'linked'))
    expect((await folder.list()).map(({ path }) => path)).toEqual(['gold/own.txt'])
    await folder.removeAll()
    expect(await readdir(join(root, 'stores'))).toEqual([])
    await unharmed()
  })

  it('does not say where it is', async () => {
    const failure = await folder.at('../x').catch((error: unknown) => error as Problem)
    expect(String(failure)).not.toContain(root)
  })
})

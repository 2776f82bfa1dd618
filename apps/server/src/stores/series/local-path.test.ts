import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowedFolder } from './series-stores.ts'

describe('the path of a local store', () => {
  let folder: string
  let root: string
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tradewright-path-')))
    root = join(folder, 'stores')
    await mkdir(root)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('begins in the folder of stores', async () => {
    const { folder: deep, path } = await allowedFolder('mine/deep', [root])
    expect(await deep.at('')).toBe(join(root, 'mine', 'deep'))
    expect(path).toBe('mine/deep')
    expect(await allowedFolder(join(root, 'mine'), [root])).toMatchObject({ path: 'mine' })
  })

  it.each(['..', '../other', '/etc', 'mine/../../other', '../stores-of-others'])(
    'does not lead out by %s',
    async (path) => {
      await expect(allowedFolder(path, [root])).rejects.toThrow('is outside the folders')
    },
  )

  it('does not lead out by a link', async () => {
    await symlink(folder, join(root, 'link'))
    await expect(allowedFolder('link/elsewhere', [root])).rejects.toThrow('is outside the folders')
  })

  it('may lead where the operator allows it', async () => {
    const { folder: more } = await allowedFolder(join(folder, 'more', 'x'), [root, join(folder, 'more')])
    expect(await more.at('')).toBe(join(folder, 'more', 'x'))
  })

  it('has no characters that mean a pattern', async () => {
    await expect(allowedFolder('all*', [root])).rejects.toThrow('characters')
  })
})

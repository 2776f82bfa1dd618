import { describe, expect, it } from 'vitest'
import type { LakeFile } from './lake-file.ts'
import type { LakeFolder } from './lake-folder.ts'
import { LakeLog } from './lake-log.ts'

/** Texts in memory: all that a log asks of a folder. */
function folderOf(texts: Map<string, string>): LakeFolder {
  const folder: Pick<LakeFolder, 'name' | 'list' | 'readText' | 'createText' | 'remove'> = {
    name: 'memory',
    list: async () => [...texts.keys()].map((path) => ({ path, modifiedAt: 0 })),
    readText: async (path) => texts.get(path),
    async createText(path, text) {
      if (texts.has(path)) return false
      texts.set(path, text)
      return true
    },
    async remove(paths) {
      for (const path of paths) texts.delete(path)
    },
  }
  return folder as LakeFolder
}

const file = (path: string): LakeFile => ({
  path,
  layer: 'gold',
  partition: '',
  rows: 0,
  bytes: 0,
  checksum: 0,
  segments: [],
})

const adding = (path: string, at = 0) => ({ add: [file(path)], remove: [], forget: [], at })

describe('the log of a store', () => {
  it('lets one of two writers win', async () => {
    const texts = new Map<string, string>()
    const [a, b] = [new LakeLog(folderOf(texts)), new LakeLog(folderOf(texts))]
    const base = await a.refresh()
    await b.refresh()
    expect(await a.commit(base, adding('a'))).toBe(true)
    expect(await b.commit(base, adding('b'))).toBe(false)
    expect([...(await b.refresh()).files.keys()]).toEqual(['a'])
  })

  it('remembers what was replaced until it is gone', async () => {
    const log = new LakeLog(folderOf(new Map()))
    await log.commit(await log.refresh(), adding('a'))
    await log.commit(await log.refresh(), { add: [file('b')], remove: ['a'], forget: [], at: 7 })
    expect([...(await log.refresh()).retired]).toEqual([['a', 7]])
    await log.commit(await log.refresh(), { add: [], remove: [], forget: ['a'], at: 8 })
    expect((await log.refresh()).retired.size).toBe(0)
  })

  it('reads the same from sums as from single changes, and does not grow without end', async () => {
    const texts = new Map<string, string>()
    const [writer, sleeper] = [new LakeLog(folderOf(texts)), new LakeLog(folderOf(texts))]
    await writer.commit(await writer.refresh(), adding('first'))
    await sleeper.refresh()
    for (let i = 0; i < 130; i++) await writer.commit(await writer.refresh(), adding(`file-${i}`))
    const expected = [...(await writer.refresh()).files.keys()].sort()
    expect([...(await new LakeLog(folderOf(texts)).refresh()).files.keys()].sort()).toEqual(expected)
    expect([...(await sleeper.refresh()).files.keys()].sort()).toEqual(expected)
    expect(texts.size).toBeLessThan(60)
  })

  it('does not guess when a change is missing', async () => {
    const texts = new Map<string, string>()
    const log = new LakeLog(folderOf(texts))
    await log.commit(await log.refresh(), adding('a'))
    await log.commit(await log.refresh(), adding('b'))
    texts.delete('log/000000000001.json')
    await expect(new LakeLog(folderOf(texts)).refresh()).rejects.toThrow('has a gap')
  })
})

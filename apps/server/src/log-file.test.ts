import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../test-support/temporary-folder.ts'
import { LogFile } from './log-file.ts'
import { createLog } from './log.ts'

const linesIn = (path: string): { n: number }[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { n: number })

it('begins a new file when one is full, keeps so many, and loses no line of those', () => {
  const path = join(temporaryFolder(), 'logs', 'tradewright.log')
  const log = createLog({ logLevel: 'info' }, new LogFile({ path, maxBytes: 1_000, files: 3 }))
  for (let n = 1; n <= 50; n++) log.info({ n }, 'a line of some length')
  expect(readdirSync(join(path, '..')).sort()).toEqual(['tradewright.log', 'tradewright.log.1', 'tradewright.log.2'])
  const kept = [`${path}.2`, `${path}.1`, path].flatMap(linesIn).map(({ n }) => n)
  expect(kept.at(-1)).toBe(50)
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 51 - kept.length + i))
  for (const file of [path, `${path}.1`]) expect(statSync(file).size).toBeLessThanOrEqual(1_000)
  expect(statSync(path).mode & 0o077, 'readable for others').toBe(0)
})

it('goes on in the file of an earlier start', () => {
  const path = join(temporaryFolder(), 'tradewright.log')
  for (const n of [1, 2]) {
    createLog({ logLevel: 'info' }, new LogFile({ path, maxBytes: 10_000, files: 2 })).info({ n }, 'start')
  }
  expect(linesIn(path).map(({ n }) => n)).toEqual([1, 2])
})

it('says at the start that a file cannot be written', () => {
  const path = join(temporaryFolder(), 'tradewright.log')
  new LogFile({ path, maxBytes: 1_000, files: 2 }).write('{}\n')
  expect(() => new LogFile({ path: join(path, 'inside'), maxBytes: 1_000, files: 2 })).toThrow(
    /^Configuration: LOG_FILE /,
  )
})

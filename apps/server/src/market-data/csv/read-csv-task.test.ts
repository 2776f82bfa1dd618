import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { createComputePool } from '../../workers/compute-pool.ts'
import type { tasks } from '../../workers/tasks.ts'

const registry = new URL('../../workers/tasks.ts', import.meta.url)
const pool = createComputePool<typeof tasks>({ threads: 1, registry })
afterAll(() => pool.close())

const owner = 'ann'
const limits = { rows: 1_000_000, columns: 100, values: 5_000_000, cellCharacters: 10_000 }

function fileWith(text: string) {
  const path = join(temporaryFolder(), 'prices.csv')
  writeFileSync(path, text)
  return { path, ticker: 'SPY', granularity: '1m', collectedAt: 0, limits } as const
}

const minutes = (count: number) =>
  Array.from({ length: count }, (_, i) => `${new Date(i * 60_000).toISOString()},${i + 1}`)

it('reads a file on a compute thread, bronze and silver on the same memory', async () => {
  const file = fileWith(`timestamp,close\n${minutes(20_000).join('\n')}\n`)
  const { bronze, silver } = await pool.run('market-data/read-csv', file, { owner })
  expect(silver.columns['close']!.slice(-1)).toEqual(Float64Array.of(20_000))
  expect(bronze.timestamps.buffer).toBe(silver.timestamps.buffer)
})

it('answers a refusal as a sentence for the user', async () => {
  const reading = pool.run('market-data/read-csv', fileWith('date,close\n2024-01-02,"1\n'), { owner })
  await expect(reading).rejects.toMatchObject({
    kind: 'invalid',
    message: 'Nothing was imported. In line 2: a quote is opened and never closed.',
  })
})

it('stops when the client has left', async () => {
  const left = new AbortController()
  const file = fileWith(`timestamp,close\n${minutes(200_000).join('\n')}\n`)
  const reading = pool.run('market-data/read-csv', file, { owner, signal: left.signal })
  left.abort(new Error('the client disconnected'))
  await expect(reading).rejects.toThrow('the client disconnected')
})

import { ManualClock } from '@tradewright/core/clock'
import { BacktestAnswer, BacktestRevisions } from '@tradewright/contract/backtests'
import { browseData } from '@tradewright/contract/collected-data'
import { DAY, HOUR } from '@tradewright/core/time'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { importCsv, importDaily } from '../../../test-support/import-prices.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

const clock = new ManualClock(new Date('2026-11-16T16:00:00Z'))
const form = {
  ...allocationForm,
  dataProvider: 'auto',
  startDate: '2024-01-02',
  endDate: '2024-06-28',
  'ticker[]': ['SPY', 'TLT'],
  'allocation[]': ['60', '40'],
}

let server: TestApp
let user: RegisteredUser
beforeAll(async () => {
  server = await createTestApp({ clock, environment: providersAt(NOWHERE) })
  user = await register(server)
  for (const ticker of ['SPY', 'TLT']) {
    await importDaily(server, { headers: headersOf(user) }, ticker, '2023-12-01', '2024-06-28')
  }
})
afterAll(() => server.close())

const run = (fields: object = {}) => postBacktest(server, user, { ...form, ...fields })
const ran = async (fields: object = {}) => BacktestAnswer.parse((await run(fields)).json())
const correct = (day: string, close: number) =>
  importCsv(server, { headers: headersOf(user) }, 'SPY', `Date,Close\n${day},${close}\n`)
const revisionsOf = async (id: number) => {
  const answer = await server.app.inject({ url: `/api/backtests/${id}/revisions`, headers: headersOf(user) })
  return BacktestRevisions.parse(answer.json())
}

describe('a backtest as of a moment', () => {
  it('uses what was known then, tells what was revised since, and runs again with the data of today', async () => {
    const first = await ran()
    const moment = clock.now().toISOString()
    expect(first).toMatchObject({ data_at: moment, is_as_of: false })
    expect(await revisionsOf(first.result_id)).toMatchObject({ reason: null, revised: 0, added: 0, series: [] })

    clock.advance(HOUR)
    expect((await correct('2024-03-15', 250)).statusCode).toBe(200)
    const revisions = await revisionsOf(first.result_id)
    expect(revisions).toMatchObject({
      data_at: moment,
      revised: 1,
      removed: 0,
      series: [{ ticker: 'SPY', revised: 1, first_date: '2024-03-15' }],
    })
    expect(revisions.values).toBeGreaterThan(200)

    const [today, then] = [await ran(), await ran({ asOf: moment })]
    expect(then.account_value_history).toEqual(first.account_value_history)
    expect(then).toMatchObject({ is_as_of: true, data_at: moment })
    expect(today.account_value_history).not.toEqual(first.account_value_history)
    expect(await revisionsOf(then.result_id)).toMatchObject({ revised: 1 })
    expect(await revisionsOf(today.result_id)).toMatchObject({ revised: 0, series: [] })
  })

  it('knows nothing of what came later', async () => {
    const early = await run({ asOf: new Date(clock.now().getTime() - 2 * DAY).toISOString() })
    expect(early.statusCode).toBe(400)
    expect(early.json<{ error: string }>().error).toContain('had no data for SPY on 2026-11-14')
  })

  it('refuses a moment that lies in the future or is none', async () => {
    for (const [asOf, sentence] of [
      ['2030-01-01', 'is in the future'],
      ['yesterday', 'must be a date like 2024-12-31 or a moment like 2024-12-31T15:30:00Z, was "yesterday"'],
      ['2024-13-45', 'must be a date'],
    ] as const) {
      const answer = await run({ asOf })
      expect(answer.statusCode).toBe(400)
      expect(answer.json<{ error: string }>().error).toContain(sentence)
    }
  })

  it('is also how stored records are browsed', async () => {
    const browse = async (as_of?: string) => {
      const payload = { tickers: ['SPY'], start_date: '2024-03-15', end_date: '2024-03-15', as_of }
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/data-collector/data/browse',
        headers: headersOf(user),
        payload,
      })
      return browseData.answer.parse(answer.json()).records.map(({ value }) => value)
    }
    const [then] = await browse('2026-11-16T16:30:00Z')
    expect(await browse()).toEqual([250])
    expect(then).toBeLessThan(200)
    expect(await browse('2026-11-15T00:00:00Z')).toEqual([])
  })
})

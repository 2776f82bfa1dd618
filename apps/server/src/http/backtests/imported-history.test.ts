import { ManualClock } from '@tradewright/core/clock'
import { BacktestAnswer } from '@tradewright/contract/backtests'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { chatOf, responseOf } from '../../../test-support/chat.ts'
import { importDaily } from '../../../test-support/import-prices.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

/** A Monday, in trading hours; the imported histories end more than a year before it. */
const clock = new ManualClock(new Date('2026-11-16T16:00:00Z'))
const LAST = '2025-09-26'

let server: TestApp
let user: RegisteredUser
const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
  server.app.inject({ method, url, headers: headersOf({ cookie: user.cookie }), ...(payload && { payload }) })

beforeAll(async () => {
  server = await createTestApp({ clock, environment: { ...providersAt(NOWHERE), OPENAI_BASE_URL: NOWHERE } })
  user = await register(server)
  const owner = { headers: headersOf({ cookie: user.cookie }) }
  for (const ticker of ['SPY', 'TLT']) await importDaily(server, owner, ticker, '2024-01-02', LAST)
})
afterAll(() => server.close())

describe('after the import of a history that ends long ago, with no provider in reach', () => {
  it('the paper account knows the ticker by its last price, and says how old that is', async () => {
    const { account } = (await call('POST', '/api/alpaca/paper-account')).json<{ account: { id: number } }>()
    const body = { ticker: 'SPY', leverage: 1, account_id: account.id }
    const { validation } = (await call('POST', '/api/asset/validate', body)).json<{ validation: object }>()
    expect(validation).toMatchObject({
      valid: true,
      error: null,
      is_price_old: true,
      warning:
        'The last known price of SPY is from 2025-09-26, 416 days old. The paper account uses it; a strategy decides again ' +
        'once newer prices are collected or imported.',
    })
  })

  it('the assistant compares months of the same year, and names what limits the comparison', async () => {
    const answer = responseOf(await chatOf(server, user).ask('How is the market?'))
    expect(answer).toContain('| SPY |')
    expect(answer).toContain('| TLT |')
    expect(answer).toContain(
      'All figures end on 26 Sep 2025, the last date that all have: there are no newer prices of SPY, TLT.',
    )
    const dates = [...answer.matchAll(/\| (\d{1,2} [A-Z][a-z]{2} \d{4}) \|/g)].map(([, date]) => date)
    expect(dates.length).toBeGreaterThanOrEqual(5)
    expect(new Set(dates.map((date) => date!.slice(-8)))).toEqual(new Set(['Sep 2025']))
    expect(answer).toContain('are made up; do not compare them with the others, which are real')
  })

  it('the assistant balances a portfolio of such tickers over the year that they share', async () => {
    const saved = await postBacktest(server, user, {
      ...allocationForm,
      dataProvider: 'auto',
      'ticker[]': ['SPY', 'TLT'],
      startDate: '2024-06-03',
      endDate: LAST,
      saveStrategy: 'true',
    })
    expect(saved.statusCode, saved.body.slice(0, 300)).toBe(200)
    const answer = responseOf(await chatOf(server, user).ask('How could I balance the risk of my portfolio?'))
    expect(answer).toContain('from the volatility of the year to 26 Sep 2025')
  })

  it('a backtest stops at the last price, or goes on in cash or in another ticker as the form says', async () => {
    await importDaily(server, { headers: headersOf({ cookie: user.cookie }) }, 'GLD', '2025-01-02', '2026-02-27')
    const run = async (fields: object) => {
      const answer = await postBacktest(server, user, {
        ...allocationForm,
        dataProvider: 'auto',
        'ticker[]': ['SPY', 'GLD'],
        startDate: '2025-06-02',
        endDate: '2026-02-27',
        ...fields,
      })
      expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
      return BacktestAnswer.parse(answer.json())
    }
    const stopped = await run({})
    expect(stopped).toMatchObject({
      actual_end_date: LAST,
      ended_tickers: [{ ticker: 'SPY', last_date: LAST }],
      settings: { ended_ticker: 'stop', replacement_ticker: null },
    })
    const inCash = await run({ endedTicker: 'cash' })
    expect(inCash).toMatchObject({ actual_end_date: '2026-02-27', settings: { ended_ticker: 'cash' } })
    const replaced = await run({ endedTicker: 'replace', replacementTicker: 'gld' })
    expect(replaced).toMatchObject({
      actual_end_date: '2026-02-27',
      settings: { ended_ticker: 'replace', replacement_ticker: 'GLD' },
    })
    expect(replaced.metrics.end_value).not.toBe(inCash.metrics.end_value)
  })
})

import { DAY } from '@tradewright/core/time'
import { describe, expect, it, vi } from 'vitest'
import { withPortfolio } from '../../../test-support/portfolio-world.ts'

const world = withPortfolio()

describe('odd accounts', () => {
  it('may have no history', async () => {
    world.alpaca.account.history = []
    await world.connect()
    const answer = await world.portfolio()
    expect(answer).toMatchObject({ cagr_calculation_method: 'insufficient_data', cagr_excluding_contributions: null })
    expect(answer.notes['cagr_excluding_contributions']).toBe(
      'Not available: there is only one day with a value in this period.',
    )
    expect(answer.full_history).toEqual([{ date: '2026-03-04', equity: 100_000, net_amount: 0 }])
  })

  it('may have one day of history, with a deposit on it', async () => {
    world.alpaca.account.history = [{ date: '2026-03-03', equity: 100_000 }]
    world.alpaca.account.load([
      {
        id: '20260303000000000::00000000-0000-4000-8000-000000000777',
        activity_type: 'CSD',
        date: '2026-03-03',
        net_amount: '100000',
        status: 'executed',
      },
    ])
    await world.connect()
    const answer = await world.portfolio()
    expect(answer).toMatchObject({ total_return: 0, net_contributions: 100_000, overall_return_percent: 0 })
  })

  it('may have holes and nulls everywhere', async () => {
    world.historyFrom('2024-03-01', (i) => 100_000 + i)
    world.alpaca.quirks.nullNumbers = true
    await world.connect()
    const answer = await world.portfolio()
    expect(answer.total_return).not.toBeNull()
    expect(answer.daily_pnl).not.toBeNull()
    expect(answer.full_history.every(({ equity }) => Number.isFinite(equity))).toBe(true)
  })

  it('may be below zero', async () => {
    world.historyFrom('2024-03-01', (i) => (i === 40 ? -500 : 1000))
    await world.connect()
    const answer = await world.portfolio()
    expect(answer.cagr_calculation_method).toBe('insufficient_data')
    expect(answer.notes['total_return']).toMatch(/^Not available: the account was below zero on 2024-/)
  })

  it('may fail to tell its activities: then the flows come from its history', async () => {
    world.historyFrom('2024-03-01', (_, date) => (date < '2025-03-03' ? 10_000 : 15_000))
    world.alpaca.account.book('CSD', '10000', '2024-03-01')
    world.alpaca.account.book('CSD', '5000', '2025-03-03')
    world.alpaca.account.cash = world.alpaca.account.cash
      .minus(world.alpaca.account.cash)
      .plus(world.alpaca.account.lastEquity)
    await world.connect()
    world.alpaca.misbehave('html', { when: ({ path }) => path === '/v2/account/activities' })
    const answer = await world.portfolio()
    expect(answer.cagr_calculation_method).toBe('daily_returns_compounded')
    expect(answer).toMatchObject({ cash_flows_count: 1, net_contributions: 15_000 })
  })
})

describe('activities', () => {
  it('come in pages, newest first, each once, also when the broker cuts them short', async () => {
    const trades = Array.from({ length: 190 }, (_, i) => {
      const at = new Date(Date.parse('2025-01-02T15:00:00Z') + i * DAY * 0.5).toISOString()
      return {
        id: `${at.replaceAll(/[^0-9]/g, '')}::00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
        activity_type: 'FILL',
        transaction_time: at,
        type: 'fill',
        price: '10',
        qty: String(i + 1),
        side: 'buy',
        symbol: 'SPY',
        order_id: '00000000-0000-4000-8000-000000000001',
      }
    })
    world.alpaca.account.load(trades)
    world.alpaca.quirks.partialPages = true
    world.alpaca.quirks.duplicates = true
    await world.connect()
    expect((await world.portfolio()).trades[0]?.qty).toBe(190)
    const page = async (number: number) =>
      (
        await world.user.get(
          `/api/alpaca/portfolio/activities?account_id=${world.accountId}&kind=trades&page=${number}&page_size=50`,
        )
      ).json<{
        trades: { qty: number }[]
        total: number
        activities_complete: boolean
      }>()
    await vi.waitUntil(async () => (await page(1)).activities_complete, { timeout: 60_000, interval: 200 })
    const pages = await Promise.all([1, 2, 3, 4].map(page))
    expect(pages.map(({ trades: some, total }) => [some.length, total])).toEqual([
      [50, 190],
      [50, 190],
      [50, 190],
      [40, 190],
    ])
    const quantities = pages.flatMap(({ trades: some }) => some.map(({ qty }) => qty))
    expect(quantities).toEqual(Array.from({ length: 190 }, (_, i) => 190 - i))
  })
})

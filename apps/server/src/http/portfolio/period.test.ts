import { beforeEach, describe, expect, it } from 'vitest'
import { withPortfolio } from '../../../test-support/portfolio-world.ts'

const world = withPortfolio()

describe('the period', () => {
  beforeEach(async () => {
    world.historyFrom('2021-03-01', (i) => 50_000 + 10 * i)
    await world.connect()
  })

  it.each([
    ['all', '2021-03-01'],
    ['ytd', '2025-12-31'],
    ['1y', '2025-03-04'],
    ['2y', '2024-03-04'],
    ['3y', '2023-03-03'],
  ])('%s begins with the value of %s [PORT-023]', async (filter, first) => {
    const answer = await world.portfolio(`filter_type=${filter}`)
    expect(answer).toMatchObject({ filter_type: filter, start_date: first, end_date: '2026-03-04' })
    expect(answer.full_history[0]?.date).toBe(first)
    expect(answer.is_annualised).toBe(filter !== 'ytd')
    expect(answer.cagr_calculation_method).toBe(
      filter === 'ytd' ? 'simple_return_short_period' : 'simple_return_no_cash_flows',
    )
  })

  it('may be chosen [PORT-033]', async () => {
    const answer = await world.portfolio('filter_type=custom&start_date=2024-01-01&end_date=2024-02-10')
    expect(answer).toMatchObject({ start_date: '2023-12-29', end_date: '2024-02-09', is_annualised: false })
  })

  it.each([
    ['filter_type=custom', 'A custom period needs a start date and an end date.'],
    ['filter_type=custom&start_date=2024-01-01', 'A custom period needs a start date and an end date.'],
    ['filter_type=custom&start_date=2024-02-01&end_date=2024-01-01', 'The start date must not be after the end date.'],
    ['filter_type=decade', 'filter_type must be one of all, ytd, 1y, 2y, 3y, custom.'],
    ['filter_type=custom&start_date=x&end_date=2024-01-01', undefined],
    ['account_id=abc', undefined],
  ])('is refused as %s [PORT-035]', async (query, sentence) => {
    const answer = await world.ask(query)
    expect(answer.statusCode).toBe(400)
    if (sentence !== undefined) expect(answer.json()).toMatchObject({ success: false, error: sentence })
  })
})

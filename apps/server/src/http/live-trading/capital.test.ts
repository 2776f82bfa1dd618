import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorOf, type LiveTradingUser, openLiveTrading } from '../../../test-support/live/live-trading-user.ts'

let live: LiveTradingUser
beforeAll(async () => {
  live = await openLiveTrading()
})
afterAll(() => live.server.close())

it('capital is paid in and out with entries in the ledger [LIVE-160] [LIVE-169] [LIVE-174] [LIVE-153]', async () => {
  const { id } = await live.created()
  const pay = (body: object) => live.ann.post(`/api/deployment/${id}/contributions`, body)
  const paid = await pay({ amount: '250.25', contribution_type: 'CONTRIBUTION', note: 'Bonus' })
  expect(paid.json()).toMatchObject({
    success: true,
    message: 'Contribution recorded successfully.',
    deployment: { committed_capital: 1250.25, committed_cash: 1250.25, total_contributions: 1250.25 },
  })
  expect((await pay({ amount: 50, contribution_type: 'WITHDRAWAL' })).json()).toMatchObject({
    message: 'Withdrawal recorded successfully.',
  })
  expect(errorOf(await pay({ amount: 0, contribution_type: 'CONTRIBUTION' }))).toBe(
    'Please enter a positive contribution amount.',
  )
  expect(errorOf(await pay({ amount: 'much', contribution_type: 'CONTRIBUTION' }))).toBe(
    'Please enter a positive contribution amount.',
  )
  for (const contribution_type of ['CONTRIBUTION', 'WITHDRAWAL']) {
    expect(errorOf(await pay({ amount: 0.001, contribution_type }))).toBe(
      'The amount must be in dollars and whole cents, with at most two decimals.',
    )
  }
  expect(errorOf(await pay({ amount: 1200.26, contribution_type: 'WITHDRAWAL' }))).toBe(
    'Withdrawal exceeds available cash ($1,200.25).',
  )
  expect(errorOf(await pay({ amount: 1_000_000, contribution_type: 'CONTRIBUTION' }))).toMatch(
    /^Contribution exceeds account available capital \(\$[\d,.]+\)\.$/,
  )
  expect((await pay({ amount: 1, contribution_type: 'GIFT' })).statusCode).toBe(400)
  const details = (await live.ann.get(`/api/deployment/${id}/details?page=1&page_size=2`)).json<{
    deployment: { ledger_entries: Record<string, unknown>[]; ledger_pagination: object; ledger_entry_types: string[] }
  }>().deployment
  expect(details.ledger_pagination).toEqual({ page: 1, page_size: 2, total_entries: 3 })
  expect(details.ledger_entry_types).toEqual(['CONTRIBUTION', 'WITHDRAWAL'])
  expect(details.ledger_entries).toMatchObject([
    {
      entry_type: 'WITHDRAWAL',
      direction: 'out',
      amount: 50,
      cash_after: 1200.25,
      equity_after: 1200.25,
      currency: 'USD',
    },
    { entry_type: 'CONTRIBUTION', direction: 'in', amount: 250.25, note: 'Bonus', positions_after: {} },
  ])
  const found = await live.ann.get(`/api/deployment/${id}/details?entry_types=CONTRIBUTION&search=bonus`)
  expect(found.json()).toMatchObject({ deployment: { ledger_pagination: { total_entries: 1, page_size: 50 } } })
})

it('capital is disallocated by percent [LIVE-161] [LIVE-170]', async () => {
  const { id } = await live.created()
  const answer = await live.ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 25 })
  expect(answer.json()).toMatchObject({
    disallocation_summary: { disallocation_pct: 25, disallocation_amount: 250, new_total: 750 },
  })
  for (const pct of [0, 0.5, 101, 'all', null]) {
    const refused = await live.ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: pct })
    expect(refused.statusCode).toBe(400)
    expect(errorOf(refused)).toBe('Please enter a valid percentage between 1 and 100.')
  }
  await live.ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 100 })
  expect(errorOf(await live.ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 50 }))).toBe(
    'Disallocation amount too small. Current capital may be near zero.',
  )
})

it('capital of a percent is not paid by hand, and shrinks with a disallocation [LIVE-110] [LIVE-111] [LIVE-112]', async () => {
  const { id } = await live.created({ capital_policy: 'percent_of_account', capital_policy_value: 10 })
  const paid = await live.ann.post(`/api/deployment/${id}/contributions`, {
    amount: 5,
    contribution_type: 'CONTRIBUTION',
  })
  expect(paid.statusCode).toBe(409)
  await live.ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 50 })
  expect((await live.get(id))['capital_policy_value']).toBe(5)
})

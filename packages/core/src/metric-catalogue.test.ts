import { expect, it } from 'vitest'
import { allMetrics } from './metric-catalogue.ts'

it('shows sums of money in dollars, and nothing else', () => {
  const inDollars = allMetrics.filter(({ unit }) => unit === 'dollars').map(({ label }) => label)
  expect(inDollars).toEqual(['End value', 'Costs', 'Dividends', 'Interest paid'])
})

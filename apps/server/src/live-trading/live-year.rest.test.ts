import { expect, it } from 'vitest'
import { liveYear } from '../../test-support/live/live-year.ts'

it('three accounts go through some weeks of faults with every order wanted once, every dollar explained and every fault said', async () => {
  const { broken, orders } = await liveYear({ seed: 1, accounts: 3, sessions: 15 })
  expect(broken).toEqual([])
  expect(orders).toBeGreaterThan(40)
}, 600_000)

import { MINUTE, SECOND } from '@tradewright/core/time'
import { describe, expect, it, vi } from 'vitest'
import { withPortfolio } from '../../../test-support/portfolio-world.ts'

const world = withPortfolio()

describe('what is kept', () => {
  it('is shown at once and refreshed behind; a refresh by hand asks first [PORT-032]', async () => {
    await world.connect()
    expect((await world.portfolio()).equity).toBe(100_000)
    world.alpaca.account.book('CSD', '1000')
    expect((await world.portfolio()).equity).toBe(100_000)
    expect((await world.portfolio('force_refresh=true')).equity).toBe(101_000)
    world.alpaca.account.book('CSD', '1000')
    world.clock.advance(2 * MINUTE)
    const old = await world.portfolio()
    expect(old).toMatchObject({ equity: 101_000, age_seconds: 120, is_refreshing: true })
    await vi.waitUntil(async () => (await world.portfolio()).equity === 102_000, { timeout: 60_000 })
  })

  it.each([
    ['down', /^Alpaca is not available right now: /],
    ['broken', /it has an internal error \(HTTP 503\)/],
    ['limited', /^Alpaca is limiting our calls/],
    ['html', /it sent a web page instead of data/],
    ['unauthorised', /^Alpaca does not accept the keys of this account/],
  ] as const)('stays on the screen with its age when Alpaca is %s', async (fault, warning) => {
    await world.connect()
    await world.portfolio()
    world.clock.advance(30 * SECOND)
    world.alpaca.misbehave(fault)
    const answer = await world.portfolio('force_refresh=true')
    expect(answer).toMatchObject({ equity: 100_000, age_seconds: 30 })
    expect(answer.warning).toMatch(warning)
  })

  it('says why when nothing was ever kept', async () => {
    await world.connect()
    world.alpaca.misbehave('broken')
    const answer = await world.ask()
    expect(answer.statusCode).toBe(503)
    const error = expect.stringMatching(/^Alpaca is not available right now/) as string
    expect(answer.json()).toMatchObject({ success: false, error })
  })

  it('doubts keys that Alpaca refuses, and trusts them again when it accepts them', async () => {
    await world.connect()
    await world.portfolio()
    world.alpaca.account.areKeysRevoked = true
    await world.portfolio('force_refresh=true')
    const status = async () =>
      (await world.user.get('/api/alpaca/accounts'))
        .json<{ accounts: { id: number; status: string }[] }>()
        .accounts.find(({ id }) => id === world.accountId)?.status
    expect(await status()).toBe('not_verified')
    expect((await world.portfolio('force_refresh=true')).warning).toContain('until its keys are verified')
    world.alpaca.account.areKeysRevoked = false
    await world.user.post(`/api/alpaca/accounts/${world.accountId}/verify`)
    expect(await status()).toBe('verified')
  })
})

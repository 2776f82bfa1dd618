import { Decimal } from '@tradewright/core/decimal'
import { sliceOf as sliceOfParty } from '@tradewright/engine/trading/ledger/books'
import { expect } from 'vitest'
import type { Deployment } from '../../src/live-trading/deployment.ts'
import type { LiveRunner } from '../../src/live-trading/cycle/runner.ts'
import { deploymentOverview } from '../../src/live-trading/views.ts'
import { type AlpacaStage, alpacaStage } from './alpaca-stage.ts'
import { eachInAWorld } from './each-in-a-world.ts'
import { healthOf, invested, sliceOf } from './live-story.ts'
import { activityOf, expectSound, type LiveWorld, settle } from './live-world.ts'

/** What a deployment that trades SPY says when SPY became another share. */
export const asked = (sentence: string, to = 'AAPL') =>
  `${sentence} The strategy trades SPY: choose whether to trade ${to} in its place or to sell ${to}. ` +
  'What it holds is kept, and nothing is traded until then.'

/** A deployment at the stand-in of Alpaca, in a world of its own for each test of a file. */
class InvestedAtAlpaca {
  world!: LiveWorld
  deployment!: Deployment
  runner!: LiveRunner

  /** Deployed with 15 SPY and 44.444444444 TLT, while the market is open. */
  async hold(): Promise<void> {
    ;({ deployment: this.deployment, runner: this.runner } = await invested(this.world))
    this.world.clock.advance(1_000)
  }

  get id(): number {
    return this.deployment.id
  }

  get standIn() {
    return (this.world.stage as AlpacaStage).standIn
  }

  get account() {
    return this.standIn.account
  }

  async poll(): Promise<void> {
    this.world.clock.advance(61_000)
    await settle(this.world, this.runner, 2)
  }

  async told(): Promise<string> {
    return (await activityOf(this.world, this.id)).join('\n')
  }

  async ledgerOf(type: string): Promise<string[]> {
    const { entries } = await this.world.deps.database.books.page(this.id, 1, 50, {
      types: undefined,
      search: undefined,
    })
    return entries
      .filter((entry) => entry.type === type)
      .map(({ direction, amount, note }) => `${direction} ${String(amount.rounded(2))}: ${note ?? ''}`)
  }

  async unallocated(ticker: string): Promise<string> {
    const books = await this.world.deps.database.books.books(this.world.accountId)
    return String(sliceOfParty(books, 'unallocated').positions.get(ticker) ?? Decimal.zero)
  }

  async expectAgreed(slice: readonly string[], health: string | null = null): Promise<void> {
    expect(await sliceOf(this.world, this.id)).toEqual(slice)
    expect(await healthOf(this.world, this.id)).toBe(health)
    expect((await deploymentOverview(this.world.deps, this.world.userId, this.id)).health).toMatchObject({
      booksAgree: true,
    })
    await expectSound(this.world)
  }
}

export function eachInvestedAtAlpaca(): InvestedAtAlpaca {
  const held = new InvestedAtAlpaca()
  eachInAWorld((world) => void (held.world = world), { stage: alpacaStage })
  return held
}

import { Decimal } from '@tradewright/core/decimal'
import { sliceOf as sliceOfParty } from '@tradewright/engine/trading/ledger/books'
import { describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { healthOf, invested, INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { expectSound, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import type { LiveRunner } from '../cycle/runner.ts'
import { deploymentOverview } from '../views.ts'
import { acceptBroker } from './accept-broker.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

const account = () => (world.stage as AlpacaStage).standIn.account
const decimal = (text: string) => Decimal.parse(text)

let id: number
let runner: LiveRunner

async function hold(): Promise<void> {
  const held = await invested(world)
  ;({ runner } = held)
  id = held.deployment.id
}

async function poll(): Promise<void> {
  world.clock.advance(61_000)
  await settle(world, runner, 2)
}

const health = async () => (await deploymentOverview(world.deps, world.userId, id)).health
const accept = (acceptsLosses?: boolean) => acceptBroker(world.deps, world.userId, id, acceptsLosses)

/** The broker's positions change, and no activity ever says why: the light is red until the user accepts it. */
async function unseen(change: () => void): Promise<void> {
  await hold()
  change()
  await poll()
  expect(await healthOf(world, id)).toContain('Broker and books disagree')
  expect(await health()).toMatchObject({ light: 'red', booksAgree: false })
}

const corrections = async () => {
  const { entries } = await world.deps.database.books.page(id, 1, 50, { types: ['CORRECTION'], search: undefined })
  return entries.map(({ direction, amount, note }) => `${direction} ${String(amount.rounded(2))}: ${note ?? ''}`)
}

/** `reasons`: what the user is told and asked about what is held now. */
async function expectAgreed(slice: readonly string[], ...reasons: readonly unknown[]): Promise<void> {
  expect(await sliceOf(world, id)).toEqual(slice)
  await poll()
  expect(await health()).toMatchObject({ booksAgree: true, reasons })
  await expectSound(world)
}

const ASKED: unknown = expect.stringContaining('choose whether to trade AAPL in its place or to sell AAPL')
const NO_SPY = 'SPY: nothing is held against a target of 60.0%.'
const unwanted = (share: string) => `AAPL: ${share}% is held, and nothing of it is wanted.`

const unallocated = async (ticker: string) => {
  const books = await world.deps.database.books.books(world.accountId)
  return String(sliceOfParty(books, 'unallocated').positions.get(ticker) ?? Decimal.zero)
}

describe('accepted figures', () => {
  it('of a change of symbol give the new shares to the deployment: the position is not lost', async () => {
    await unseen(() => {
      world.quotes.set('AAPL', decimal('405'))
      account().move('SPY', '-15')
      account().move('AAPL', '15')
    })
    await accept()
    await expectAgreed(['0', '15 AAPL', '44.444444444 TLT'], ASKED, NO_SPY, unwanted('60.3'))
    expect(await corrections()).toEqual(['none 6075: Accepted from the broker by the user: 15 SPY became 15 AAPL'])
  })

  it('of a split give all of the shares to the deployment', async () => {
    await unseen(() => {
      world.quotes.set('SPY', decimal('200'))
      account().move('SPY', '15')
    })
    await accept()
    await expectAgreed(['0', '30 SPY', '44.444444444 TLT'])
    expect(await unallocated('SPY')).toBe('0')
    expect(await corrections()).toEqual(['in 3000: Accepted from the broker by the user'])
  })

  it('of a reverse split take from all holders alike', async () => {
    await hold()
    await world.stage.tradeByHand('buy', 'SPY', '5')
    await poll()
    world.quotes.set('SPY', decimal('4000'))
    account().move('SPY', '-18')
    await poll()
    expect(await health()).toMatchObject({ light: 'red', booksAgree: false })
    await accept()
    await expectAgreed(['0', '1.5 SPY', '44.444444444 TLT'])
    expect(await unallocated('SPY')).toBe('0.5')
  })

  it('of shares that were paid out give the money to the deployment', async () => {
    await unseen(() => {
      account().move('SPY', '-15')
      account().cash = account().cash.plus(decimal('6012.34'))
    })
    await accept()
    await expectAgreed(['6012.34', '44.444444444 TLT'], NO_SPY)
    expect(await corrections()).toEqual(['none 6012.34: Accepted from the broker by the user: 15 SPY became $6,012.34'])
  })

  it('of a merger for shares and money give both to the deployment', async () => {
    await unseen(() => {
      world.quotes.set('AAPL', decimal('250'))
      account().move('SPY', '-15')
      account().move('AAPL', '14')
      account().cash = account().cash.plus(decimal('2500'))
    })
    await accept()
    await expectAgreed(['2500', '14 AAPL', '44.444444444 TLT'], ASKED, NO_SPY, unwanted('35.0'))
  })

  it('of shares that are gone are a loss only when the user says so', async () => {
    await unseen(() => account().move('SPY', '-15'))
    await expect(accept()).rejects.toMatchObject({
      code: 'capital.loss',
      message: expect.stringMatching(
        /^The broker no longer holds 15 SPY, and nothing was received for it: a loss of \$6,000\.00\./,
      ),
    })
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    await accept(true)
    await expectAgreed(['0', '44.444444444 TLT'], NO_SPY)
    expect(await corrections()).toEqual(['out 6000: Accepted from the broker by the user'])
  })

  it('leave the value of a deployment as it was while a split is not explained', async () => {
    await unseen(() => {
      world.quotes.set('SPY', decimal('200'))
      account().move('SPY', '15')
    })
    const { view } = await deploymentOverview(world.deps, world.userId, id)
    expect(String(view.value.rounded(2))).toBe('10000')
  })
})

describe('the light is never green while books and broker differ', () => {
  it('also while an execution is not listed', async () => {
    const deployment = await world.deployed()
    id = deployment.id
    runner = world.runner()
    world.stage.hidesFills = true
    world.toDecision()
    for (let minute = 0; minute < 8; minute++) {
      await settle(world, runner, 2)
      const { light, booksAgree } = await health()
      const isBooked = (await sliceOf(world, id)).length > 1
      if (!isBooked) expect([light, booksAgree]).not.toEqual(['green', true])
      if (!isBooked) expect(light).not.toBe('green')
      world.clock.advance(60_000)
    }
    expect(await sliceOf(world, id)).toEqual(INVESTED)
  })
})

import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { compareWithBroker } from '@tradewright/engine/trading/ledger/compare'
import { acceptanceEntries, type UnexplainedLoss } from '@tradewright/engine/trading/ledger/acceptance'
import { cashCorrection, overdraftCorrection } from '@tradewright/engine/trading/ledger/corrections'
import { Problem } from '@tradewright/core/problem'
import { findDeployment } from '../control.ts'
import { isOpen } from '../decision.ts'
import { snapshotOfBroker, pricesAtBroker, sliceAtBroker } from '../cycle/reconcile/broker-snapshot.ts'
import { OVERLAP, reconcile } from '../cycle/reconcile/reconcile.ts'
import { bookEndedOrders } from '../cycle/reconcile/unlisted-fills.ts'
import { recordNote } from '../cycle/record-note.ts'
import type { LiveDeps } from '../deps.ts'
import { recordTickerChanges } from '../ticker-changes/record.ts'

const NOTE = 'Accepted from the broker by the user'

/**
 * Resolves a disagreement by the broker's figures. Every correction is an entry of the ledger, at its value, for the
 * deployments that held what changed. A loss of shares that nothing took the place of is booked only where `acceptsLosses`.
 */
export async function acceptBroker(deps: LiveDeps, userId: number, id: number, acceptsLosses = false): Promise<string> {
  const deployment = await findDeployment(deps, userId, id)
  const { accountId } = deployment
  const broker = await deps.brokerFor(userId, accountId)
  const before = await reconcile(deps, broker, { accountId, userId })
  if (before.verdict === 'agreed') return 'Broker and books agree; nothing had to be corrected.'
  if (before.verdict === 'moving') {
    throw new Problem('conflict', 'capital.orders', 'Orders are being executed. Please try again in a moment.')
  }
  const seen = (await deps.database.books.state(accountId))!
  const snapshot = await snapshotOfBroker(broker, seen.eventsSince.getTime() - OVERLAP, [])
  const corrections = await deps.database.transaction(async (stores) => {
    const { books, orders } = stores
    const state = await books.lock(accountId)
    // An order that was never sent is not sent while broker and books disagree.
    const isUnderWay = (await orders.unsettled(accountId)).some(
      (intent) => isOpen(intent) && intent.state !== 'intended',
    )
    const isQuiet = state?.version === seen.version && snapshot.isStill && !isUnderWay
    if (!isQuiet)
      throw new Problem('conflict', 'capital.orders', 'The account is moving. Please try again in a moment.')
    const prices = new Map([...seen.prices, ...pricesAtBroker(snapshot)])
    const at = deps.clock.now().getTime()
    await books.acceptForeign(accountId, new Date(at))
    let count = (await bookEndedOrders(stores, accountId, snapshot, { prices, at: new Date(at) })).length
    const on = (what: string) => ({ key: `accept:${at}:${what}`, at, note: NOTE })
    const slice = sliceAtBroker(snapshot)
    const priceNow = pricesAtBroker(snapshot)
    const { entries: assigned, losses } = acceptanceEntries(
      await books.books(accountId),
      slice,
      { before: (ticker) => seen.prices.get(ticker), now: (ticker) => priceNow.get(ticker) },
      on('position'),
    )
    if (losses.length > 0 && !acceptsLosses) throw unconfirmed(losses)
    count += (await books.post(accountId, assigned, prices)).length
    await recordTickerChanges(stores, accountId, assigned, { prices, at: new Date(at) })
    for (const ticker of compareWithBroker(await books.books(accountId), slice).overdrawn) {
      const entries = overdraftCorrection(
        await books.books(accountId),
        ticker,
        knownPrice(prices, ticker),
        on(`over-${ticker}`),
      )
      count += (await books.post(accountId, entries, prices)).length
    }
    count += (await books.post(accountId, cashCorrection(await books.books(accountId), slice.cash, on('cash')), prices))
      .length
    return count
  })
  const after = await reconcile(deps, broker, { accountId, userId })
  const count = `${corrections} ${corrections === 1 ? 'correction' : 'corrections'}`
  const sentence = `The broker's figures were accepted with ${count}.`
  await recordNote(deps, deployment, { code: 'broker-accepted', level: 'warning', sentence })
  return after.verdict === 'disagreed' ? `${sentence} ${after.disagreement ?? ''}` : sentence
}

function unconfirmed(losses: readonly UnexplainedLoss[]): Problem {
  const what = losses.map(({ ticker, quantity }) => `${String(quantity)} ${ticker}`).join(', ')
  const value = losses.reduce((sum, loss) => sum.plus(loss.value), Decimal.zero)
  return new Problem(
    'conflict',
    'capital.loss',
    `The broker no longer holds ${what}, and nothing was received for it: a loss of ${usd(value)}. ` +
      'If it is a corporate action, the broker lists it within a day or two and it is booked then. ' +
      'Nothing was changed.',
  )
}

function knownPrice(prices: ReadonlyMap<string, Decimal>, ticker: string): Decimal {
  const price = prices.get(ticker)
  if (price) return price
  throw new Problem('conflict', 'capital.price', `No price for ${ticker} is known, so its shares cannot be assigned.`)
}

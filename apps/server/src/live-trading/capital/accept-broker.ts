import { Decimal } from '@tradewright/core/decimal'
import { compareWithBroker } from '@tradewright/engine/trading/ledger/compare'
import { cashCorrection, overdraftCorrection, positionCorrection } from '@tradewright/engine/trading/ledger/corrections'
import { Problem } from '@tradewright/core/problem'
import { findDeployment } from '../control.ts'
import { snapshotOfBroker, pricesAtBroker, sliceAtBroker } from '../cycle/reconcile/broker-snapshot.ts'
import { reconcile } from '../cycle/reconcile/reconcile.ts'
import { report } from '../cycle/report.ts'
import type { LiveDeps } from '../deps.ts'

const NOTE = 'Accepted from the broker by the user'

/** Resolves a disagreement by the broker's figures. Every correction is an entry of the ledger. */
export async function acceptBroker(deps: LiveDeps, userId: number, id: number): Promise<string> {
  const deployment = await findDeployment(deps, userId, id)
  const { accountId } = deployment
  const broker = await deps.brokerFor(userId, accountId)
  const before = await reconcile(deps, broker, { accountId, userId })
  if (before.verdict === 'agreed') return 'Broker and books agree; nothing had to be corrected.'
  if (before.verdict === 'moving') {
    throw new Problem('conflict', 'capital.orders', 'Orders are being executed. Please try again in a moment.')
  }
  const seen = (await deps.database.books.state(accountId))!
  const snapshot = await snapshotOfBroker(broker, seen.eventsSince.getTime(), [])
  const corrections = await deps.database.transaction(async ({ books, orders }) => {
    const state = await books.lock(accountId)
    const isQuiet =
      state?.version === seen.version && snapshot.isStill && (await orders.unsettled(accountId)).length === 0
    if (!isQuiet)
      throw new Problem('conflict', 'capital.orders', 'The account is moving. Please try again in a moment.')
    const prices = new Map([...seen.prices, ...pricesAtBroker(snapshot)])
    const at = deps.clock.now().getTime()
    const on = (what: string) => ({ key: `accept:${at}:${what}`, at, note: NOTE })
    const slice = sliceAtBroker(snapshot)
    let count = 0
    for (const difference of compareWithBroker(await books.books(accountId), slice).positions) {
      const entries = positionCorrection(await books.books(accountId), difference, on(difference.ticker))
      count += (await books.post(accountId, entries, prices)).length
    }
    for (const ticker of compareWithBroker(await books.books(accountId), slice).overdrawn) {
      const price = prices.get(ticker) ?? Decimal.zero
      const entries = overdraftCorrection(await books.books(accountId), ticker, price, on(`over-${ticker}`))
      count += (await books.post(accountId, entries, prices)).length
    }
    count += (await books.post(accountId, cashCorrection(await books.books(accountId), slice.cash, on('cash')), prices))
      .length
    return count
  })
  const after = await reconcile(deps, broker, { accountId, userId })
  const count = `${corrections} ${corrections === 1 ? 'correction' : 'corrections'}`
  const sentence = `The broker's figures were accepted with ${count}.`
  await report(deps, deployment, { code: 'broker-accepted', level: 'warning', sentence })
  return after.verdict === 'disagreed' ? `${sentence} ${after.disagreement ?? ''}` : sentence
}

import { Decimal } from '@tradewright/core/decimal'
import { usdPerShare } from '@tradewright/core/money'
import { epochDayOf } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { type Decision, isSettled, type OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { tradeInputs } from './decide.ts'
import { maySend, placeOrders } from './place-orders.ts'
import { assetsOf, intentsOf, purchases, sentencesOf } from './plan-trades.ts'
import { report } from './report.ts'
import { takeSnapshot } from './valuation.ts'
import type { CycleDeps, Reconciliation } from './types.ts'

/** Carries a decision on: purchases when the sales have ended, the end when everything has. */
export async function advance(
  deps: CycleDeps,
  broker: Broker,
  deployment: Deployment,
  decision: Decision,
  reconciliation: Reconciliation,
): Promise<void> {
  const intents = await deps.database.orders.ofDecision(decision.id)
  const waiting = intents.filter(({ state }) => state === 'intended')
  if (waiting.length > 0 && maySend(deps, deployment, decision) && reconciliation.verdict === 'agreed') {
    await placeOrders(deps, broker, deployment, decision, waiting)
    return
  }
  if (!intents.every(isSettled)) return
  if (decision.outcome === 'selling') {
    deps.onStep('sales-ended')
    if (reconciliation.verdict !== 'agreed') return
    if (maySend(deps, deployment, decision)) {
      // A lease that was lost on the way leaves the rest to its new holder.
      if ((await buy(deps, broker, deployment, decision, reconciliation)) !== 'stopped') return
    }
  }
  await end(deps, deployment, decision, reconciliation)
}

/** The second leg, sized by what the sales really brought. */
async function buy(
  deps: CycleDeps,
  broker: Broker,
  deployment: Deployment,
  decision: Decision,
  reconciliation: Reconciliation,
): Promise<'sent' | 'lost' | 'stopped'> {
  const { weights } = decision.signal
  const assets = await assetsOf(
    broker,
    weights.map(({ ticker }) => ticker),
  )
  const closes = plannedPrices(
    decision,
    weights.map(({ ticker }) => ticker),
  )
  const prices = new Map([...reconciliation.prices, ...closes, ...reconciliation.quotes])
  const written = await deps.database.transaction(async (stores) => {
    if (!(await stores.leases.held([deployment.id], deps.holder)).has(deployment.id)) return 'lost' as const
    const current = await stores.deployments.lock(deployment.userId, deployment.id)
    if (current?.status !== 'running' || current.settings.dryRun || deps.gate.isClosed(deployment)) {
      return 'stopped' as const
    }
    await stores.books.lock(deployment.accountId)
    if ((await stores.decisions.find(deployment.id, decision.decidedFor))?.outcome !== 'selling') return 'lost' as const
    const slice = await stores.books.slice(deployment.accountId, deployment.id)
    const sizing = purchases(tradeInputs(deployment, { weights, prices, assets }, slice, reconciliation))
    const intents = intentsOf(deployment, decision, sizing.orders, deps.clock.now())
    await stores.orders.insert(intents)
    await stores.decisions.move(decision.id, 'buying', {
      reason: [decision.reason, ...sentencesOf(sizing.notes)].join(' '),
      isPartial: decision.isPartial || sizing.notes.length > 0,
    })
    return { intents, notes: sizing.notes }
  })
  if (typeof written === 'string') return written
  deps.onStep('purchases-committed')
  for (const note of written.notes) await report(deps, deployment, note)
  await placeOrders(deps, broker, deployment, { ...decision, outcome: 'buying' }, written.intents)
  return 'sent'
}

/** A ticker that is not held yet has no price at the broker; dollars are ordered, so any price that is known will do. */
function plannedPrices({ signal }: Decision, tickers: readonly string[]): [string, Decimal][] {
  return tickers.flatMap((ticker) => {
    const price = signal.closes?.[ticker]
    return price === undefined ? [] : [[ticker, Decimal.parse(price)] as [string, Decimal]]
  })
}

async function end(
  deps: CycleDeps,
  deployment: Deployment,
  decision: Decision,
  reconciliation: Reconciliation,
): Promise<void> {
  const intents = await deps.database.orders.ofDecision(decision.id)
  const failed = intents.filter(({ state }) => state !== 'filled')
  const stoppedHalfway = decision.outcome === 'selling' && !maySend(deps, deployment, decision)
  const isComplete = failed.length === 0 && !stoppedHalfway && !decision.isPartial
  const outcome = isComplete ? 'done' : 'incomplete'
  const lastTrade = {
    signal: decision.signal.prediction?.signal,
    day: epochDayOf(decision.decidedFor.getTime()),
    isComplete,
  }
  await deps.database.transaction(async (stores) => {
    await stores.decisions.move(decision.id, outcome)
    await stores.deployments.change(deployment.id, { lastTrade })
    await deps.putMail(stores, deployment, 'trades', {
      subject: `${deployment.name}: ${intents.length} ${intents.length === 1 ? 'order' : 'orders'} ${isComplete ? 'filled' : 'ended'}`,
      text: intents.map(sentenceOf).join('\n'),
      key: `trades:${decision.id}`,
    })
  })
  deps.onStep('decision-ended')
  const told = intents.map(sentenceOf).join('; ')
  await report(
    deps,
    deployment,
    isComplete
      ? { code: 'decision-done', level: 'info', sentence: `Execution Complete. ${told}` }
      : {
          code: 'decision-incomplete',
          level: 'warning',
          sentence: `Execution Complete, but not everything was traded. ${told}`,
        },
  )
  await takeSnapshot(deps, deployment, reconciliation)
}

function sentenceOf({ side, ticker, state, filledQuantity, averagePrice, reason }: OrderIntent): string {
  const what = `${side === 'buy' ? 'Buy' : 'Sell'} ${ticker}: ${state}`
  const filled =
    filledQuantity.isZero || !averagePrice ? '' : `, ${String(filledQuantity)} at ${usdPerShare(averagePrice)}`
  return `${what}${filled}${reason ? ` (${reason})` : ''}`
}

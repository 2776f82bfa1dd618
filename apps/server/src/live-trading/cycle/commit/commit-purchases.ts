import { Decimal } from '@tradewright/core/decimal'
import { heldSentence, isHeldBack, orderName } from '@tradewright/engine/live/held-orders'
import { isPartial, waitsFor } from '@tradewright/engine/live/order-plan'
import { sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import { type Decision, isOpen, type OrderIntent } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import type { LiveStores } from '../../ports/database.ts'
import { assetsOf, withOffers } from '../propose/propose.ts'
import type { AccountSnapshot, CommittedPurchases, CycleDeps, TradeInputs } from '../types.ts'
import { withoutHalted } from '../halts.ts'
import { limitOrders } from './limit-orders.ts'
import { intentsOf, purchases, sentAs, sentencesOf, tradeInputs } from './plan-orders.ts'

/** Journals the second leg of a decision, sized by what the sales really brought. */
export async function commitPurchases(
  deps: CycleDeps,
  deployment: Deployment,
  decision: Decision,
  { broker, reconciliation, time }: Pick<AccountSnapshot, 'broker' | 'reconciliation' | 'time'>,
): Promise<CommittedPurchases> {
  const { weights } = decision.signal
  // Shares that are owed and no longer wanted are bought back, too.
  const held = sliceOfDeployment(reconciliation.books, deployment.id).positions.keys()
  const tickers = [...new Set([...weights.map(({ ticker }) => ticker), ...held])]
  const assets = withoutHalted(await assetsOf(broker, tickers), reconciliation.halts)
  const known = new Map([...reconciliation.prices, ...plannedPrices(decision, tickers), ...reconciliation.quotes])
  const prices = await withOffers(broker, assets, known, reconciliation.quotes, time.now)
  return deps.database.transaction(async (stores) => {
    const verdict = await stateOf(deps, stores, deployment, decision)
    if (verdict !== 'committed') return { state: verdict }
    const slice = await stores.books.slice(deployment.accountId, deployment.id)
    const { sold, closed, resting } = await soldBy(stores, decision)
    const heldBack = new Map(
      (deployment.heldOrders ?? [])
        .filter((one) => isHeldBack(one, time.now.getTime()))
        .map((one) => [orderName(one), heldSentence(one)]),
    )
    const inputs = tradeInputs(deployment, { weights, prices, assets, heldBack }, slice, reconciliation)
    const sizing = purchases({ ...inputs, sold, closed })
    // By the broker's clock, as the first leg is.
    const at = time.now
    const span = { from: deps.clock.now().getTime(), until: decision.expiresAt.getTime() }
    const parts = sentAs(deployment, { prices, assets }, slice, sizing.orders, span)
    const limited = await limitOrders(stores, deployment, reconciliation, parts.orders, deps.limits, at)
    const notes = [...sizing.notes, ...parts.notes, ...limited.notes]
    const intents = intentsOf(deployment, decision, limited.orders, at)
    await stores.orders.insert(intents)
    await stores.decisions.move(decision.id, 'buying', {
      reason: [decision.reason, ...sentencesOf(notes)].join(' '),
      // What a sale that still rests brings is left to the next decision.
      isPartial: decision.isPartial || isPartial(notes) || resting.length > 0,
      waitsFor: together(decision.isPartial ? decision.waitsFor : [], waitsFor(notes), resting),
    })
    return { state: verdict, intents, notes }
  })
}

/** Undefined where anything else is lacking as well. */
const together = (...parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined =>
  parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined

interface Sales extends Required<Pick<TradeInputs, 'sold' | 'closed'>> {
  /** Tickers whose sale is still open. */
  readonly resting: readonly string[]
}

async function soldBy({ orders }: LiveStores, { id }: Decision): Promise<Sales> {
  const sales = (await orders.ofDecision(id)).filter(({ side }) => side === 'sell')
  const tickersOf = (some: readonly OrderIntent[]) => new Set(some.map(({ ticker }) => ticker))
  return {
    sold: tickersOf(sales),
    closed: tickersOf(sales.filter(({ filledQuantity }) => filledQuantity.isPositive)),
    resting: [...tickersOf(sales.filter(isOpen))],
  }
}

/** The lease, the status, the emergency stop and ticker changes, checked in the transaction that writes the orders. */
async function stateOf(
  deps: CycleDeps,
  stores: LiveStores,
  deployment: Deployment,
  decision: Decision,
): Promise<CommittedPurchases['state']> {
  const isMine = (await stores.leases.held([deployment.id], deps.holder)).has(deployment.id)
  const current = await stores.deployments.lock(deployment.userId, deployment.id)
  const isRunning = current?.status === 'running' && !current.settings.dryRun && !deps.gate.isClosed(deployment)
  await stores.books.lock(deployment.accountId)
  const isHeld = (await stores.tickerChanges.of([deployment.id])).length > 0
  const isSelling = (await stores.decisions.find(deployment.id, decision.decidedFor))?.outcome === 'selling'
  // A lease that was lost on the way leaves the rest to its new holder.
  return !isMine ? 'lost' : !isRunning || isHeld ? 'stopped' : isSelling ? 'committed' : 'lost'
}

/** A ticker that is not held yet has no price at the broker; dollars are ordered, so any price that is known will do. */
function plannedPrices({ signal }: Decision, tickers: readonly string[]): [string, Decimal][] {
  return tickers.flatMap((ticker) => {
    const price = signal.closes?.[ticker]
    return price === undefined ? [] : [[ticker, Decimal.parse(price)] as [string, Decimal]]
  })
}

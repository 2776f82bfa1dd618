import { hasBlocks } from '@tradewright/core/strategy-kinds'
import { Decimal } from '@tradewright/core/decimal'
import { targetName } from '@tradewright/core/external-signal'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf } from '@tradewright/core/time'
import { describeRulesDecision } from '@tradewright/engine/live/describe-rules-decision'
import type { LiveSignal } from '@tradewright/engine/live/signal-now'
import {
  type HeldOrder,
  heldSentence,
  isHeldBack,
  isTakenUp,
  orderName,
  stoppedTickers,
} from '@tradewright/engine/live/held-orders'
import { isFresh } from '@tradewright/engine/live/limit-price'
import { needsQuote, priceConflict } from '@tradewright/engine/live/price-check'
import { tradeOrHold } from '@tradewright/engine/live/trade-or-hold'
import { tradingWeights, weightsByTicker, type TradingWeight } from '@tradewright/engine/live/trading-weights'
import type { TradingCalendar } from '@tradewright/engine/market/trading-calendar'
import type { TradableAsset } from '@tradewright/engine/trading/broker'
import { type Slice, sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import { dataChoiceOf, type Deployment, requestFor } from '../../deployment.ts'
import { withKnownSignals } from '../../signals/known-signals.ts'
import { tradedTickers } from '../../traded-tickers.ts'
import type { Assets, CycleDeps, Proposal, Reconciliation } from '../types.ts'
import { withoutHalted } from '../halts.ts'
import { modelsFor } from './model.ts'
import { refuseSynthetic } from './trained-model.ts'

/** Data, features, model, signal, target weights: what the strategy wants at this instant. Nothing is written. */
export async function propose(
  deps: CycleDeps,
  assets: Assets,
  deployment: Deployment,
  reconciliation: Reconciliation,
  at: Date,
  calendar: TradingCalendar,
): Promise<Proposal> {
  const { settings, strategy, userId } = deployment
  const models = await modelsFor(deps, deployment, at)
  const request = await withKnownSignals(deps.database, deployment, requestFor(deployment, at.getTime()), at, 1)
  const memory = hasBlocks(request.strategy) ? await deps.database.decisions.rulesMemory(deployment.id) : undefined
  deps.deploymentLog.write(deployment.id, 'INFO', 'Fetching Market Data')
  const slice = sliceOfDeployment(reconciliation.books, deployment.id)
  const tickers = [...new Set([...tradedTickers(deployment), ...slice.positions.keys()])]
  const { signal, prices: closes } = await deps.signalService.signal(
    { userId, request, ...dataChoiceOf(strategy), models, memory, at: at.getTime(), tickers },
    deps.signal,
  )
  deps.onStep('signal-known')
  refuseSynthetic(
    deployment,
    signal.series.filter(({ synthetic }) => synthetic).map(({ ticker }) => ticker),
  )
  const weights = tradingWeights(signal.allocation, settings.tickerMapping)
  // A position held for long has an old price in the books; the newest close counts more, and the broker's quote most.
  const known = new Map([
    ...reconciliation.prices,
    ...[...closes].map(([ticker, price]) => [ticker, Decimal.fromNumber(price)] as const),
    ...reconciliation.quotes,
  ])
  await refuseContradictions(assets, closes, reconciliation.quotes, at)
  const traded = withoutHalted(
    await assetsOf(assets, [...weights.map(({ ticker }) => ticker), ...slice.positions.keys()]),
    reconciliation.halts,
  )
  const prices = await withOffers(assets, traded, known, reconciliation.quotes, at)
  const day = epochDayOf(at.getTime())
  const heldOrders = (deployment.heldOrders ?? []).filter((one) => isHeldBack(one, at.getTime()))
  const blocked = new Set([
    ...heldOrders.map(({ ticker }) => ticker),
    ...[...traded.values()].filter(({ isTradable }) => !isTradable).map(({ ticker }) => ticker),
  ])
  const held = holdingsOf(withoutStopped(weights, heldOrders), slice, prices, blocked)
  const answer = tradeOrHold({
    signal: signal.prediction?.signal,
    last: deployment.lastTrade,
    memory: signal.rules,
    external: signal.external,
    contributions: String(deployment.totals.contributions),
    today: day,
    calendar,
    rules: { rebalanceFrequency: settings.rebalanceFrequency, thresholdPct: settings.rebalanceThresholdPct },
    ...held,
  })
  const left = heldOrders.filter((one) => !isTakenUp(one, answer, at.getTime()))
  const wanted = withoutStopped(weights, left)
  deps.deploymentLog.write(deployment.id, 'INFO', `Generating Signal: ${describeSignal(signal)}. ${answer.reason}`)
  return {
    signal: {
      dataAsOf: signal.dataAsOf,
      prediction: signal.prediction ?? null,
      ...(signal.modelVersion !== undefined && { modelVersion: signal.modelVersion }),
      ...(signal.rules && { rules: signal.rules }),
      ...(signal.external && { external: signal.external }),
      weights: wanted,
      fingerprint: signal.fingerprint,
      synthetic: signal.synthetic,
      notes: signal.notes,
      closes: Object.fromEntries([...closes].map(([ticker, price]) => [ticker, String(Decimal.fromNumber(price))])),
      quotes: Object.fromEntries([...reconciliation.quotes].map(([ticker, price]) => [ticker, String(price)])),
      planned: [],
    },
    weights: wanted,
    answer,
    prices,
    assets: traded,
    heldBack: new Map(left.map((one) => [orderName(one), heldSentence(one)])),
    day,
  }
}

/** Nothing is wanted of what a stop has sold. */
function withoutStopped(weights: readonly TradingWeight[], held: readonly HeldOrder[]): readonly TradingWeight[] {
  const stopped = stoppedTickers(held)
  return stopped.size === 0 ? weights : weights.map((one) => (stopped.has(one.ticker) ? { ...one, weight: 0 } : one))
}

/** Before anything is sized: a price that the broker's own quote and the last close contradict moves no money. */
async function refuseContradictions(
  broker: Pick<Assets, 'quote'>,
  closes: ReadonlyMap<string, number>,
  positions: ReadonlyMap<string, Decimal>,
  at: Date,
): Promise<void> {
  const conflicts: string[] = []
  for (const [ticker, position] of positions) {
    const close = closes.get(ticker)
    if (close === undefined) continue
    const prices = { ticker, position, close: Decimal.fromNumber(close) }
    const quote = needsQuote(prices) ? await broker.quote?.(ticker).catch(() => undefined) : undefined
    const conflict = priceConflict(prices, quote, at.getTime())
    if (conflict) conflicts.push(conflict)
  }
  if (conflicts.length === 0) return
  const sentence = `${conflicts.join(' ')} Nothing is traded until they agree.`
  throw new Problem('conflict', 'deployment.price-off', sentence)
}

/** Whole shares of a ticker that is not held yet are counted by what they are offered for now, where the broker says it. */
export async function withOffers(
  broker: Pick<Assets, 'quote'>,
  assets: ReadonlyMap<string, TradableAsset>,
  prices: ReadonlyMap<string, Decimal>,
  positions: ReadonlyMap<string, Decimal>,
  at: Date,
): Promise<Map<string, Decimal>> {
  const current = new Map(prices)
  for (const [ticker, { isFractionable, isTradable }] of assets) {
    if (isFractionable || !isTradable || positions.has(ticker)) continue
    const quote = await broker.quote?.(ticker).catch(() => undefined)
    if (quote?.ask?.isPositive && isFresh(quote, at.getTime())) current.set(ticker, quote.ask)
  }
  return current
}

function holdingsOf(
  weights: readonly TradingWeight[],
  slice: Slice,
  prices: ReadonlyMap<string, Decimal>,
  blocked: ReadonlySet<string>,
) {
  const targets = weightsByTicker(weights)
  const tickers = [...new Set([...targets.keys(), ...slice.positions.keys()])].filter((ticker) => prices.has(ticker))
  return {
    weights: Float64Array.from(tickers, (ticker) => targets.get(ticker) ?? 0),
    holdings: {
      cash: slice.cash.toNumber(),
      quantities: Float64Array.from(tickers, (ticker) => slice.positions.get(ticker)?.toNumber() ?? 0),
    },
    prices: Float64Array.from(tickers, (ticker) => prices.get(ticker)!.toNumber()),
    blocked: { tickers: blocked, rows: tickers.map((ticker) => blocked.has(ticker)) },
  }
}

function describeSignal({ prediction, rules, external }: LiveSignal): string {
  if (rules) return describeRulesDecision(rules)
  if (external) {
    const received =
      external.receivedAt === null ? 'no signal yet' : `received ${new Date(external.receivedAt).toISOString()}`
    return `${targetName(external.target)}, ${received}`
  }
  return prediction ? `probability ${prediction.probability.toFixed(4)}` : 'allocation'
}

/** The broker's answers about everything that is held or wanted. */
export async function assetsOf(broker: Assets, tickers: Iterable<string>): Promise<Map<string, TradableAsset>> {
  const assets = new Map<string, TradableAsset>()
  for (const ticker of new Set(tickers)) {
    const asset = await broker.asset(ticker)
    if (asset) assets.set(ticker, asset)
  }
  return assets
}

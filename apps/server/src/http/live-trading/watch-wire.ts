import type * as decisions from '@tradewright/contract/live-trading-decision'
import type * as contract from '@tradewright/contract/live-trading-watch'
import { targetName } from '@tradewright/core/external-signal'
import { describeRulesDecision } from '@tradewright/engine/live/describe-rules-decision'
import type { RulesMemory } from '@tradewright/engine/live/rules-follower'
import type { z } from 'zod'
import {
  confidenceOf,
  type Decision,
  type OrderIntent,
  type PlannedOrder,
  signalTypeOf,
  syntheticOf,
} from '../../live-trading/decision.ts'
import type { DeploymentsSummary } from '../../live-trading/summary.ts'
import { type Holding, holdingsOf, type Overview } from '../../live-trading/views.ts'
import { deploymentToWire } from './wire.ts'
import type { Deployment } from '../../live-trading/deployment.ts'
import { slippageOf } from '../../live-trading/end-of-day/lived-orders.ts'
import type { StoredReplay } from '../../live-trading/ports/journal.ts'
import type { ModelDescription } from '../../live-trading/ports/models.ts'
import { retrainingOf } from '../../live-trading/retraining/recipe.ts'

type DecisionWire = decisions.Decision

export function decisionToWire(
  decision: Omit<Decision, 'id' | 'deploymentId' | 'expiresAt'> & { id?: number },
): DecisionWire {
  const { signal } = decision
  const { prediction } = signal
  const { isSynthetic, syntheticTickers } = syntheticOf(signal)
  return {
    id: decision.id ?? null,
    decided_for: decision.decidedFor.toISOString(),
    decided_at: decision.decidedAt.toISOString(),
    data_as_of: signal.dataAsOf === null ? null : new Date(signal.dataAsOf).toISOString(),
    signal_type: signalTypeOf(signal),
    signal: prediction?.signal ?? null,
    probability: prediction === null ? null : confidenceOf(signal),
    unit: prediction?.unit ?? null,
    base: prediction?.base ?? null,
    model_version: signal.modelVersion ?? null,
    influences: (prediction?.influences ?? []).map(({ feature, value, contribution }) => ({
      feature,
      value: Number.isFinite(value) ? value : null,
      contribution,
    })),
    rules: signal.rules ? rulesToWire(signal.rules) : null,
    external: signal.external
      ? {
          target: targetName(signal.external.target),
          received_at: signal.external.receivedAt === null ? null : new Date(signal.external.receivedAt).toISOString(),
        }
      : null,
    target_weights: signal.weights.map(({ ticker, signalTicker, weight }) => ({
      symbol: ticker,
      signal_ticker: signalTicker,
      weight,
    })),
    reason: decision.reason,
    outcome: decision.outcome,
    synthetic: isSynthetic,
    synthetic_tickers: [...syntheticTickers],
    data_notes: [...(signal.notes ?? [])],
  }
}

function rulesToWire(memory: RulesMemory): NonNullable<DecisionWire['rules']> {
  const { check, trade, state } = memory
  return {
    reading: describeRulesDecision(memory),
    checked_bar: check && new Date(check.bar).toISOString(),
    trade_bar: trade && new Date(trade.bar).toISOString(),
    way: (check?.way ?? []).map(({ id, branch }) => ({ block: id, branch })),
    chosen: (check?.chosen ?? []).map(({ id, tickers }) => ({ block: id, tickers: [...tickers] })),
    latches: (check?.latches ?? []).map(({ id, ticker, isOn }) => ({ block: id, ticker, on: isOn })),
    rebalanced: (trade?.blocks ?? []).map(({ id, reason }) => ({ block: id, reason })),
    streaks: Object.entries(state.streaks).map(([block, checks]) => ({ block, checks })),
    held: Object.entries(state.held).map(([block, weights]) => ({ block, weights: [...weights] })),
  }
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))

export const plannedToWire = ({ ticker, side, isShort, quantity, notional, estimatedValue }: PlannedOrder) => ({
  symbol: ticker,
  side,
  is_short: isShort ?? false,
  quantity: numberOrNull(quantity),
  notional: numberOrNull(notional),
  estimated_value: Number(estimatedValue),
})

const orderToWire = (intent: OrderIntent): z.input<typeof decisions.OrderView> => ({
  client_order_id: intent.clientOrderId,
  broker_order_id: intent.brokerOrderId,
  symbol: intent.ticker,
  side: intent.side,
  is_short: intent.isShort,
  quantity: intent.quantity?.toNumber() ?? null,
  notional: intent.notional?.toNumber() ?? null,
  filled_quantity: intent.filledQuantity.toNumber(),
  average_price: intent.averagePrice?.toNumber() ?? null,
  state: intent.state,
  reason: intent.reason,
  created_at: intent.createdAt.toISOString(),
  updated_at: intent.updatedAt.toISOString(),
})

function driftToWire({ causes = [], fills = [] }: StoredReplay, { strategy }: Deployment) {
  const { costBps, feeBps } = slippageOf(fills)
  return {
    causes: causes.map(({ cause, pct, orders, days }) => ({
      cause,
      drift_pct: pct,
      client_order_ids: [...orders],
      days: [...days],
    })),
    fills: fills.map((fill) => ({
      client_order_id: fill.id,
      symbol: fill.ticker,
      side: fill.side,
      timestamp: new Date(fill.at).toISOString(),
      quantity: fill.quantity,
      price: fill.price,
      decision_price: fill.decisionPrice,
      quote: fill.quote,
      quote_at_sending: fill.sentQuote ?? null,
      fee: fill.fee,
      cost_bps: fill.costBps,
    })),
    slippage: { cost_bps: costBps, fee_bps: feeBps, assumed_bps: strategy.request.tradingCostBps },
  }
}

const versionToWire = (model: ModelDescription) => ({
  version: model.version,
  trained_at: model.trainedAt.toISOString(),
  decides_after: model.after?.toISOString() ?? null,
  window: model.window && model.window.number + 1,
  training_start: model.from,
  training_end: model.to,
})

export function overviewToWire(
  overview: Overview,
): Omit<z.input<typeof contract.getDeploymentOverview.answer>, 'success'> {
  const { view, equity, replay, lastDecision, orders, health, models } = overview
  const model = models.at(-1)
  const { slice, value } = view
  return {
    deployment: deploymentToWire(view),
    value: value.toNumber(),
    cash: slice.cash.toNumber(),
    positions: holdingsOf(view, lastDecision).map((holding) => {
      const cost = overview.averageCosts.get(holding.ticker)
      const { price, quantity } = holding
      return Object.assign(holdingToWire(holding), {
        quantity: quantity.toNumber(),
        price: price?.toNumber() ?? null,
        market_value: holding.value?.toNumber() ?? null,
        average_cost: cost?.toNumber() ?? null,
        gain: cost && price ? price.minus(cost).times(quantity).toNumber() : null,
      })
    }),
    equity: equity.map(({ at, value: worth, netContributions, growth }) => ({
      timestamp: at.toISOString(),
      value: worth.toNumber(),
      net_contributions: netContributions.toNumber(),
      growth,
    })),
    replay: replay
      ? {
          points: replay.points.map(({ at, growth }) => ({ timestamp: new Date(at).toISOString(), growth })),
          drift_pct: replay.driftPct,
          computed_at: replay.computedAt.toISOString(),
          error: replay.error,
          ...driftToWire(replay, view.deployment),
        }
      : null,
    next_run_at: view.deployment.nextRunAt?.toISOString() ?? null,
    last_decision: lastDecision ? decisionToWire(lastDecision) : null,
    orders: orders.map(orderToWire),
    health: {
      light: health.light,
      reasons: [...health.reasons],
      reconciled_at: health.reconciledAt?.toISOString() ?? null,
      books_agree: health.booksAgree,
      is_attended: health.isAttended,
    },
    model: model
      ? {
          trained_at: model.trainedAt.toISOString(),
          data_fingerprint: model.fingerprint,
          rows: model.rows,
          training_start: model.from,
          training_end: model.to,
          synthetic: model.synthetic,
          synthetic_tickers: [...(model.syntheticTickers ?? [])],
          data_notes: [...model.notes],
          version: model.version,
        }
      : null,
    model_versions: models.map(versionToWire).toReversed(),
    retraining: {
      schedule: retrainingOf(view.deployment),
      next_training_at: view.deployment.retrainAt?.toISOString() ?? null,
      problem: view.deployment.retrainingProblem,
    },
    emergency_stopped: overview.isEmergencyStopped,
  }
}

const holdingToWire = ({ ticker, weight, target }: Holding) => ({
  symbol: ticker,
  weight: weight ?? null,
  target: target ?? null,
})

/** More are on the page of the deployment. */
const CARD_HOLDINGS = 5

export const glanceToWire = ({ market, recent, glances }: DeploymentsSummary) => ({
  market: {
    is_open: market.isOpen,
    next_open: new Date(market.nextOpen).toISOString(),
    next_close: new Date(market.nextClose).toISOString(),
  },
  recent: [...recent].map(([id, growth]) => ({ deployment_id: id, growth: [...growth] })),
  deployments: glances.map(({ id, light, holdings, lastDecision }) => ({
    deployment_id: id,
    light,
    holdings: holdings.slice(0, CARD_HOLDINGS).map(holdingToWire),
    holdings_left_out: Math.max(0, holdings.length - CARD_HOLDINGS),
    last_decision: lastDecision
      ? {
          decided_at: lastDecision.decidedAt.toISOString(),
          outcome: lastDecision.outcome,
          reason: lastDecision.reason,
        }
      : null,
  })),
})

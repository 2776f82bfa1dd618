import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { targetName } from '@tradewright/core/external-signal'
import type { UtcMillis } from '@tradewright/core/time'
import type { KnownSignal } from '@tradewright/engine/backtest/external-backtest'
import { type RulesMemory, wantedTrade } from '@tradewright/engine/live/rules-follower'
import type { Prediction } from '@tradewright/engine/live/signal-now'
import type { LastTrade } from '@tradewright/engine/live/trade-or-hold'
import type { TradingWeight } from '@tradewright/engine/live/trading-weights'
import type { Sending } from '@tradewright/engine/live/sized-order'
import type { BrokerQuote } from '@tradewright/engine/trading/broker'
import type { OrderRequest, OrderSide, OrderState } from '@tradewright/engine/trading/order'

/** `selling` and `buying` are at work; the others are over. */
export type DecisionOutcome = 'selling' | 'buying' | 'done' | 'held' | 'dry_run' | 'refused' | 'incomplete'

/** A stored decision with its reasons. Plain data. */
export interface DecidedSignal {
  readonly dataAsOf: UtcMillis | null
  readonly prediction: Prediction | null
  /** The model that predicted; absent without one. */
  readonly modelVersion?: number
  /** For a rule strategy: states of latches and blocks, from which the next decision goes on; absent for others. */
  readonly rules?: RulesMemory
  /** The signal from outside that counted; absent for other strategies. */
  readonly external?: KnownSignal
  readonly weights: readonly TradingWeight[]
  readonly fingerprint: string | null
  /** The traded tickers whose prices come from the sample market; a claim about all in decisions of earlier versions. */
  readonly synthetic: readonly string[] | boolean
  /** What is odd about the data behind it, as sentences; absent in decisions of earlier versions. */
  readonly notes?: readonly string[]
  /** Newest closes of what may be bought, as decimals. */
  readonly closes?: Readonly<Record<string, string>>
  /** The broker's quotes of what was held, as decimals; absent in decisions of earlier versions. */
  readonly quotes?: Readonly<Record<string, string>>
  /** All that had been contributed when it was decided, as a decimal; absent in decisions of earlier versions. */
  readonly contributions?: string
  /** Positions that it closes because they have come to their stop; absent where it was decided by the strategy. */
  readonly stopped?: readonly string[]
  /** The journal had lost it: the broker's orders are all that is known of it. */
  readonly isAdopted?: true
  /** The first plan; purchases after sales are planned from what these bring. */
  readonly planned: readonly PlannedOrder[]
}

export interface PlannedOrder {
  readonly ticker: string
  readonly side: OrderSide
  readonly quantity: string | null
  readonly notional: string | null
  readonly estimatedValue: string
  /** The order is in borrowed shares: sold short, or bought back. Absent in decisions of earlier versions. */
  readonly isShort?: boolean
}

export interface Decision {
  readonly id: number
  readonly deploymentId: number
  readonly decidedFor: Date
  readonly decidedAt: Date
  /** Nothing new is sent for it after this. */
  readonly expiresAt: Date
  readonly outcome: DecisionOutcome
  readonly reason: string
  /** Something that was wanted could not even be ordered; the next decision tries again. */
  readonly isPartial: boolean
  /** Tickers that could not be traded, where they are all that was left out; absent where anything else was. */
  readonly waitsFor?: readonly string[] | undefined
  readonly signal: DecidedSignal
}

/** Which traded tickers had synthetic prices, and whether any had. */
export const syntheticOf = ({ synthetic }: Pick<DecidedSignal, 'synthetic'>) =>
  typeof synthetic === 'boolean'
    ? { isSynthetic: synthetic, syntheticTickers: [] }
    : { isSynthetic: synthetic.length > 0, syntheticTickers: synthetic }

/** `intended`: journaled, not sent. `sending`: sent, fate unknown. `abandoned`: never reached the broker. */
export type IntentState = 'intended' | 'sending' | OrderState | 'abandoned'

export interface OrderIntent {
  readonly clientOrderId: string
  readonly deploymentId: number
  readonly accountId: number
  readonly decisionId: number
  readonly ticker: string
  readonly side: OrderSide
  /** The order is in borrowed shares: sold short, or bought back. */
  readonly isShort: boolean
  readonly quantity: Decimal | undefined
  readonly notional: Usd | undefined
  readonly timeInForce: OrderRequest['timeInForce']
  readonly orderType: Sending['type']
  /** Not sent before; null: at once. */
  readonly sendAt: Date | null
  /** The limit of a limit order, from the moment it was quoted; undefined before, and for other types. */
  readonly limitPrice: Usd | undefined
  /** Cancelled after this; null where it waits for its end. */
  readonly timesOutAt: Date | null
  /** The order's time was over before it was filled. */
  readonly hasTimedOut: boolean
  /** When we asked for its cancellation; absent where we did not. */
  readonly cancelAskedAt?: Date | undefined
  /** Asked for right before it was sent; undefined where there was none. */
  readonly quote: BrokerQuote | undefined
  readonly state: IntentState
  readonly attempts: number
  readonly sentAt: Date | null
  readonly brokerOrderId: string | null
  /** The filled quantity by the broker, and the part of it that is in the ledger. */
  readonly filledQuantity: Decimal
  readonly bookedQuantity: Decimal
  /** What that was worth; unknown for orders of earlier versions, and for new ones none. */
  readonly bookedValue?: Decimal | undefined
  readonly averagePrice: Usd | undefined
  readonly reason: string | null
  /** An execution was not listed for minutes and is booked from the order: listed later, it is not booked again. */
  readonly isBookedFromOrder: boolean
  /** As it was planned; undefined in orders of earlier versions. */
  readonly estimatedValue: Usd | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

const OPEN: ReadonlySet<IntentState> = new Set<IntentState>([
  'intended',
  'sending',
  'pending',
  'accepted',
  'partially_filled',
])

export const isOpen = ({ state }: Pick<OrderIntent, 'state'>): boolean => OPEN.has(state)

/** The order's end is known, and everything that was filled is in the ledger. */
export const isSettled = (intent: Pick<OrderIntent, 'state' | 'filledQuantity' | 'bookedQuantity'>): boolean =>
  !isOpen(intent) && intent.filledQuantity.equals(intent.bookedQuantity)

/** What a trade of a decision leaves to the next one. */
export const tradedBy = ({
  prediction,
  rules,
  external,
  isAdopted,
}: DecidedSignal): Pick<LastTrade, 'signal' | 'rules' | 'external' | 'isAdopted'> => ({
  signal: prediction?.signal,
  ...(isAdopted && { isAdopted }),
  ...(rules && { rules: wantedTrade(rules) }),
  ...(external && { external: external.key }),
})

export const signalTypeOf = ({
  prediction,
  rules,
  external,
}: Pick<DecidedSignal, 'prediction' | 'rules' | 'external'>): string =>
  external
    ? `Signal: ${targetName(external.target)}`
    : rules
      ? 'Rules'
      : prediction === null
        ? 'Allocation'
        : prediction.signal === 1
          ? 'Buy'
          : 'Sell'

/** How sure the model is of what it said. */
export const confidenceOf = ({ prediction }: DecidedSignal): number | null =>
  prediction === null ? null : prediction.signal === 1 ? prediction.probability : 1 - prediction.probability

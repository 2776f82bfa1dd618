import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { OrderSide } from './order.ts'

/** Something that happened in an account, once, under the broker's id. */
export type AccountActivity = TradeActivity | CashActivity

/** What a broker did to something it had listed. */
export interface Correction {
  /** Set where the broker took it back, or lists it in the place of an earlier one. */
  readonly state?: 'canceled' | 'corrected'
  /** The id of the activity whose place it takes, where the broker says so. */
  readonly replaces?: string
}

/** An execution. One that was cancelled, a trade bust, counts no longer. */
export interface TradeActivity extends Correction {
  readonly kind: 'trade'
  readonly id: string
  readonly at: UtcMillis
  readonly ticker: string
  readonly side: OrderSide
  readonly quantity: Decimal
  readonly price: Usd
  readonly orderId: string | undefined
}

/** Money or shares that moved without a trade: deposits, dividends, interest, fees, and transfers of shares. */
export interface CashActivity extends Correction {
  readonly kind: 'cash'
  readonly id: string
  readonly at: UtcMillis
  /** The date it counts for. */
  readonly day: EpochDay
  /** The instant it was booked at, where the broker gives one: `at` is the start of the day otherwise. */
  readonly bookedAt?: UtcMillis
  /** The broker's code in Alpaca's words: CSD, CSW, JNLC, DIV, INT, FEE and others. */
  readonly type: string
  /** Positive when it came in. */
  readonly netAmount: Usd
  readonly description: string
  readonly ticker: string | undefined
  /** The ex-date of a dividend, where it is known: shares bought on this day or later do not get it. */
  readonly exDay?: EpochDay
  /** What it is for each share, where the broker says so; compared, never booked. */
  readonly perShare?: number
  /**
   * Shares or coins that moved, positive when they came in: transfers, fees taken in the coin, corporate actions.
   * `netAmount` is what they were worth then; of a corporate action it is the money that moved beside them.
   */
  readonly quantity?: Decimal
  /** Names the corporate action that it is a part of, where the broker says so. */
  readonly group?: string
}

/**
 * Corporate actions and events of options in Alpaca's codes: splits, spin-offs, mergers, changes of name or symbol,
 * reorganisations, offers; assignments, exercises and expiries.
 */
const ACTION_TYPES = new Set(['SPLIT', 'SPIN', 'MA', 'NC', 'SC', 'SSO', 'SSP', 'REORG', 'VOF', 'FIMAT'])

export const isStockDividend = ({ type, quantity }: Pick<CashActivity, 'type' | 'quantity'>): boolean =>
  type.startsWith('DIV') && quantity !== undefined

/** Dividends and their taxes, distributions of capital gains, charges that a depositary passes on. */
export const isDistribution = ({ type, quantity }: Pick<CashActivity, 'type' | 'quantity'>): boolean =>
  /^(DIV|CGD|PTC|PTR)/.test(type) && quantity === undefined

export const isCorporateAction = (activity: Pick<CashActivity, 'type' | 'quantity'>): boolean =>
  ACTION_TYPES.has(activity.type) || activity.type.startsWith('OP') || isStockDividend(activity)

/** It changes what the broker listed before. */
export const isCorrection = ({ state, replaces }: AccountActivity): boolean =>
  state !== undefined || replaces !== undefined

/** The activities without those that the broker cancelled or replaced by others. */
export function standingActivities<Activity extends AccountActivity>(activities: readonly Activity[]): Activity[] {
  const replaced = new Set(activities.map(({ replaces }) => replaces))
  return activities.filter(({ id, state }) => state !== 'canceled' && !replaced.has(id))
}

/**
 * Deposits, withdrawals, and journals and transfers between accounts. They change what an account is worth without
 * being performance; dividends, interest and fees are performance.
 */
export const EXTERNAL_FLOW_TYPES: readonly string[] = ['CSD', 'CSW', 'JNL', 'JNLC', 'JNLS', 'ACATC', 'ACATS']

const EXTERNAL = new Set(EXTERNAL_FLOW_TYPES)

export const isExternalFlow = ({ type }: Pick<CashActivity, 'type'>): boolean => EXTERNAL.has(type)

/** Which activities: executions, everything else, or of that only the external flows. */
export type ActivityKind = 'trades' | 'cash' | 'external'

export interface ActivityQuery {
  readonly kind: ActivityKind
  /** At or after this instant. */
  readonly since?: UtcMillis
  readonly order: 'newest-first' | 'oldest-first'
  /** As for `Broker.fills`. */
  readonly tickers?: readonly string[]
  /** `next` of the page before. */
  readonly page?: string
}

export interface ActivityPage {
  readonly activities: readonly AccountActivity[]
  /** Names the page after this one; undefined on the last. */
  readonly next: string | undefined
}

/** An account's value at the end of a day. */
export interface EquityDay {
  readonly day: EpochDay
  /** Undefined where the broker has no value for the day. */
  readonly equity: Usd | undefined
  /** Money from outside on the day, where the broker's history says so. */
  readonly externalFlow: Usd | undefined
}

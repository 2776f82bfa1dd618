import { EXECUTION_BOUNDS, MARKET_EXECUTION, orderTypeIds } from '@tradewright/core/order-types'
import { z } from 'zod'
import { freeRecord, MAX_MAPPED_TICKERS } from './bounds.ts'
import { optionalDate } from './dates.ts'
import { rowIdOf } from './ids.ts'
import {
  AFTER_TIMEOUT,
  CAPITAL_POLICIES,
  CONTRIBUTION_MODES,
  DEPLOYMENT_REBALANCE_FREQUENCIES,
  NEW_DEPLOYMENT,
  Confirmation,
  RETRAINING_SCHEDULES,
  TRADING_DAYS,
  TRADING_FREQUENCY_TYPES,
  TRAINING_MODES,
  LOSS_ACTIONS,
} from './live-trading-fields.ts'

/** Selects of a form send text, and nothing chosen is an empty one. */
const chosenId = z
  .union([z.number(), z.string().trim().max(20)])
  .nullish()
  .transform((value) => (isChosen(value) ? rowIdOf(value) : null))
const isChosen = (value: unknown) => value !== '' && value !== null && Number.isInteger(Number(value))

/** A number, or the text of one as inputs send it. Exactly what was written reaches the ledger. */
const amountField = (what: string) =>
  z
    .union([z.number(), z.string().trim().max(100)], `${what} must be a number.`)
    .transform((value) => String(value))
    .pipe(
      z
        .string()
        .regex(
          /^[+-]?\d{1,15}(\.\d{0,18})?$|^[+-]?\.\d{1,18}$|^[+-]?\d(\.\d+)?e-\d{1,2}$/,
          `${what} must be a number.`,
        ),
    )

const percentField = (what: string, from: number, to: number) =>
  z.coerce
    .number(`${what} must be a number.`)
    .min(from, `${what} must be from ${from} to ${to}.`)
    .max(to, `${what} must be from ${from} to ${to}.`)

const optionalLimit = (what: string) =>
  z
    .union([
      z.literal(''),
      z.null(),
      z.coerce.number().gt(0, `${what} must be above 0.`).max(100, `${what} must be at most 100.`),
    ])
    .optional()
    .transform((value) => (value === '' ? null : value))

const optionalAmount = (what: string, most: number) =>
  z
    .union([
      z.literal(''),
      z.null(),
      z.coerce.number(`${what} must be a number.`).gt(0, `${what} must be above 0.`).max(most),
    ])
    .optional()
    .transform((value) => (value === '' || value === undefined ? null : value))

/** Left out, a new deployment with real money gets a default; empty or null, there is none. */
const limitOrDefault = (what: string, most: number) =>
  z
    .union([
      z.literal('').transform(() => null),
      z.null(),
      z.coerce.number(`${what} must be a number.`).gt(0, `${what} must be above 0.`).max(most),
    ])
    .optional()

/** Whole: a limit that is left out is none, but for the last three. */
const orderLimits = z.object({
  max_order_usd: optionalAmount('The value of an order', 1e12),
  max_daily_usd: optionalAmount('The value of a day’s orders', 1e12),
  max_daily_orders: optionalAmount('The number of a day’s orders', 1e6).pipe(
    z.int('The number of a day’s orders must be a whole number.').nullable(),
  ),
  max_daily_turnover_pct: optionalAmount('The turnover of a day', 1e4),
  max_account_loss_pct: optionalAmount('The loss of the account', 100),
  max_order_pct: limitOrDefault('The share of the account of an order', 100),
  max_order_multiple: limitOrDefault('The multiple of an order', 1e6),
  price_band_pct: limitOrDefault('The price band', 100),
})

const bounded = ({ min, max }: { min: number; max: number }, what: string) =>
  z.coerce
    .number(`${what} must be a number.`)
    .min(min, `${what} must be from ${min} to ${max}.`)
    .max(max, `${what} must be from ${min} to ${max}.`)

const orderExecution = z.object({
  type: z.enum(orderTypeIds, `The order type must be one of ${orderTypeIds.join(', ')}.`),
  collar_pct: bounded(EXECUTION_BOUNDS.collarPct, 'The collar').default(MARKET_EXECUTION.collarPct),
  timeout_minutes: bounded(EXECUTION_BOUNDS.timeoutMinutes, 'The time-out')
    .pipe(z.int('The time-out must be whole minutes.'))
    .default(MARKET_EXECUTION.timeoutMinutes),
  after_timeout: z.enum(AFTER_TIMEOUT).default(MARKET_EXECUTION.afterTimeout),
  slices: bounded(EXECUTION_BOUNDS.slices, 'The number of slices')
    .pipe(z.int('The number of slices must be a whole number.'))
    .default(MARKET_EXECUTION.slices),
  slice_minutes: bounded(EXECUTION_BOUNDS.sliceMinutes, 'The minutes of all slices')
    .pipe(z.int('The minutes of all slices must be whole minutes.'))
    .default(MARKET_EXECUTION.sliceMinutes),
})

const day = z
  .string()
  .max(20)
  .transform((text) => TRADING_DAYS.find((name) => name.toLowerCase() === text.trim().toLowerCase()))
  .pipe(z.enum(TRADING_DAYS, `trading_days must be names of weekdays: ${TRADING_DAYS.join(', ')}.`))

const EventFlags = z.object({
  trades: z.boolean().default(NEW_DEPLOYMENT.notification_events.trades),
  errors: z.boolean().default(NEW_DEPLOYMENT.notification_events.errors),
  signals: z.boolean().default(NEW_DEPLOYMENT.notification_events.signals),
  daily_summary: z.boolean().default(NEW_DEPLOYMENT.notification_events.daily_summary),
})
/** Flags by event, or the list of those that are on. */
const eventsField = z.union([
  EventFlags,
  z
    .array(z.enum(['trades', 'errors', 'signals', 'daily_summary']))
    .max(20)
    .transform((on) => ({
      trades: on.includes('trades'),
      errors: on.includes('errors'),
      signals: on.includes('signals'),
      daily_summary: on.includes('daily_summary'),
    })),
])

const emailList = z
  .array(z.string().max(320))
  .max(50, 'At most 50 notification e-mails are allowed.')
  .transform((list) => [...new Set(list.map((email) => email.trim()).filter(Boolean))])
  .pipe(z.array(z.email({ message: 'Every notification e-mail must be an address like name@example.com.' })))

/**
 * The API lists these three settings inside the mapping, so a client that sends the list back includes them; they are
 * no tickers.
 */
const SETTINGS_IN_MAPPING = new Set([
  'trading_frequency_type',
  'end_of_day_minutes_before_close',
  'bypass_market_hours',
])
export const TickerMapping = freeRecord('The ticker mapping', MAX_MAPPED_TICKERS + SETTINGS_IN_MAPPING.size)
  .transform((mapping) => Object.entries(mapping).filter(([signal]) => !SETTINGS_IN_MAPPING.has(signal)))
  .pipe(z.array(z.tuple([z.string(), z.string('Every trading ticker must be text.').trim().max(60)])))
  .transform((entries) => Object.fromEntries(entries))

/** Fields that deploying and editing share. Missing ids and names are refused with the sentences of the form. */
const options = {
  deployment_name: z.string().trim().max(200, 'The deployment name is too long (at most 200 characters).').nullish(),
  strategy_id: chosenId,
  alpaca_account_id: chosenId,
  rebalance_threshold: percentField('The rebalance threshold', 0, 50).default(NEW_DEPLOYMENT.rebalance_threshold),
  rebalance_frequency: z.enum(DEPLOYMENT_REBALANCE_FREQUENCIES).default(NEW_DEPLOYMENT.rebalance_frequency),
  check_frequency_minutes: z.coerce.number().int().min(1).max(1440).default(NEW_DEPLOYMENT.check_frequency_minutes),
  trading_frequency_type: z.enum(TRADING_FREQUENCY_TYPES).default(NEW_DEPLOYMENT.trading_frequency_type),
  end_of_day_minutes_before_close: z.coerce
    .number()
    .int()
    .min(1)
    .max(120)
    .default(NEW_DEPLOYMENT.end_of_day_minutes_before_close),
  /** Empty reads as weekdays. */
  trading_days: z.array(day).max(50).default([]),
  ticker_mapping: TickerMapping.default({}),
  bypass_market_hours: z.boolean().default(NEW_DEPLOYMENT.bypass_market_hours),
  buying_power_forgiveness_pct: percentField('Buying power forgiveness', 0, 100).default(
    NEW_DEPLOYMENT.buying_power_forgiveness_pct,
  ),
  email_notifications_enabled: z.boolean().default(NEW_DEPLOYMENT.email_notifications_enabled),
  notification_emails: emailList.default([]),
  notification_events: eventsField.default({ ...NEW_DEPLOYMENT.notification_events }),
  training_mode: z.enum(TRAINING_MODES).default(NEW_DEPLOYMENT.training_mode),
  /** Clamped to 1..99. */
  holdout_train_size: z.coerce
    .number('The holdout train size must be a number.')
    .default(NEW_DEPLOYMENT.holdout_train_size),
  training_start_date: optionalDate,
  training_end_date: optionalDate,
  /** Left out: as the strategy's backtest does when deploying, as it was when editing. */
  retraining_schedule: z.enum(RETRAINING_SCHEDULES).optional(),
  dry_run: z.boolean().optional(),
  max_daily_loss_pct: optionalLimit('The maximum daily loss'),
  max_drawdown_pct: optionalLimit('The maximum drawdown'),
  /** Left out: `pause` when deploying, as it was when editing. */
  loss_action: z.enum(LOSS_ACTIONS, 'A broken loss limit can pause or sell.').optional(),
  /** Left out: none when deploying, as they were when editing. */
  order_limits: orderLimits.optional(),
  /** Left out: market orders when deploying, as it was when editing. */
  order_execution: orderExecution.optional(),
}

const capital = {
  capital_policy: z.enum(CAPITAL_POLICIES).default(NEW_DEPLOYMENT.capital_policy),
  capital_policy_value: amountField('The capital policy value').default('0'),
  capital_currency: z.literal('USD', 'Only USD is allowed.').default('USD'),
  auto_start: z.boolean().default(NEW_DEPLOYMENT.auto_start),
  contribution_mode: z.enum(CONTRIBUTION_MODES).default(NEW_DEPLOYMENT.contribution_mode),
  /** With auto_start on an account with real money: the deployment's name, typed by the user. */
  confirmation: Confirmation,
}

export const CreateDeploymentBody = z.object({ ...options, ...capital })
export type CreateDeploymentBody = z.input<typeof CreateDeploymentBody>

export const CreateWithPositionsBody = z.object({
  ...options,
  ...capital,
  contribution_mode: z.literal('positions').default('positions'),
  contributed_positions: z
    .array(z.object({ symbol: z.string().trim().min(1).max(60), quantity: amountField('The quantity of a position') }))
    .max(1000)
    .default([]),
  contributed_cash: amountField('The extra cash').default('0'),
})
export type CreateWithPositionsBody = z.input<typeof CreateWithPositionsBody>

/** Capital is changed by contributions and disallocation, never by an edit. What is left out takes its default. */
export const UpdateDeploymentBody = z.object(options)
export type UpdateDeploymentBody = z.input<typeof UpdateDeploymentBody>

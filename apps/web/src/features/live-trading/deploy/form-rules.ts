import { kindNamed } from '@tradewright/core/strategy-kinds'
import type { AccountPosition, DeployableStrategy, TradingAccount } from '@tradewright/contract/live-trading-fields'
import { formatMoney, formatQuantity } from '../../../lib/format.ts'
import { choiceLabel } from '@tradewright/core/backtest-settings'
import { percentText } from '../deployment-words.ts'
import type { DeployForm } from './draft.ts'
import { orderTypeProblems } from './orders/order-rules.ts'
import { isCash } from './signal-ticker.ts'

const ALLOCATION_LIMIT_PCT = 100.0001
const CASH_TOLERANCE = 0.000001

const SELECT_STRATEGY = 'Please select a strategy'
const SELECT_ACCOUNT = 'Please select a trading account'
const ENTER_NAME = 'Please enter a deployment name'

/** The missing field in the form's own sentences; null when there is none. */
export function missingChoice({ strategyId, accountId, deploymentName }: DeployForm): string | null {
  if (!strategyId) return SELECT_STRATEGY
  if (!accountId) return SELECT_ACCOUNT
  return deploymentName.trim() ? null : ENTER_NAME
}

/** Everything that keeps the button from being pressed. */
export function blockers(
  form: DeployForm,
  strategy: DeployableStrategy | undefined,
  account?: TradingAccount,
): string[] {
  const missing = missingChoice(form)
  const orderProblem = orderTypeProblems(form, account).get(form.orderType)
  return [
    ...(missing ? [missing] : []),
    ...(strategy && !strategy.is_deployable ? [strategy.not_deployable_reason ?? 'The strategy is not ready.'] : []),
    ...unmapped(form).map((signal) => `Please map ${signal} to a trading ticker`),
    ...(form.tradingDays.length === 0 ? ['Please select at least one trading day'] : []),
    ...(orderProblem ? [orderProblem] : []),
    ...shortsProblem(strategy, account),
  ]
}

/** An account that allows no short positions cannot trade a strategy that has some. */
function shortsProblem(strategy: DeployableStrategy | undefined, account: TradingAccount | undefined): string[] {
  if (!strategy || strategy.short_tickers.length === 0 || account?.shorting_allowed !== false) return []
  return [
    `The strategy sells ${strategy.short_tickers.join(', ')} short, and this account allows no short positions. ` +
      'Choose a margin account in which shorting is enabled, or the built-in paper account.',
  ]
}

interface Readiness {
  readonly blockers: readonly string[]
  readonly tickers: { readonly isValid: boolean; readonly hasProblem: boolean }
  readonly capitalProblem: string | null
}

/** Every reason why a deployment is not ready, the strategy's own among the blockers. */
export function notReadyReasons({ blockers: problems, tickers, capitalProblem: capital }: Readiness): string[] {
  const waits = !tickers.isValid && !tickers.hasProblem && problems.length === 0
  return [
    ...problems,
    ...(capital === null ? [] : [capital]),
    ...(tickers.hasProblem ? ['Some tickers cannot be traded now: see Trading Ticker Mapping.'] : []),
    ...(waits ? ['Checking whether the account can trade the tickers.'] : []),
  ]
}

const unmapped = ({ tickerMapping }: DeployForm): string[] =>
  Object.keys(tickerMapping).filter((signal) => !isCash(signal) && !tickerMapping[signal]?.trim())

/** Why this much cannot be given to the deployment; null when it can, as far as the browser knows. */
export function capitalProblem(
  form: DeployForm,
  account: TradingAccount,
  positions: readonly AccountPosition[],
): string | null {
  if (form.contributionMode === 'positions') return positionsProblem(form, account, positions)
  if (form.capitalPolicy === 'percent_of_account') return percentProblem(Number(form.capitalValue), account)
  const amount = Number(form.capitalValue)
  if (!(amount > 0)) return 'Contribution amount must be greater than zero.'
  return cashProblem(amount, account)
}

function percentProblem(percent: number, account: TradingAccount): string | null {
  if (!(percent > 0)) return 'Percent allocation must be greater than zero.'
  const reached = account.percent_allocated + percent
  if (reached <= ALLOCATION_LIMIT_PCT) return null
  return (
    `Cannot deploy: account allocation would reach ${percentText(reached)}. ` +
    `Current active deployments are using ${percentText(account.percent_allocated)}.`
  )
}

function cashProblem(amount: number, { available_cash }: TradingAccount): string | null {
  if (available_cash === null || amount <= available_cash + CASH_TOLERANCE) return null
  return (
    `Cannot deploy: requested contribution ${formatMoney(amount)} exceeds available uncommitted cash ` +
    `${formatMoney(available_cash)}.`
  )
}

function positionsProblem(form: DeployForm, account: TradingAccount, positions: readonly AccountPosition[]) {
  const symbols = Object.keys(form.positions)
  const cash = Number(form.extraCash)
  if (symbols.length === 0 && !(cash > 0)) return 'Please select at least one position or add cash to contribute.'
  for (const symbol of symbols) {
    const available = positions.find((position) => position.symbol === symbol)?.available_quantity ?? 0
    const quantity = Number(form.positions[symbol])
    if (quantity > 0 && quantity <= available) continue
    return `The quantity of ${symbol} must be above 0 and at most ${formatQuantity(available)}.`
  }
  return cash > 0 ? cashProblem(cash, account) : null
}

/** `Cannot deploy with invalid ticker mappings: …`, from what the server found. */
export function invalidMappings(
  verb: 'deploy' | 'update',
  results: Record<string, { valid: boolean; trading_ticker: string }>,
): string {
  const invalid = Object.entries(results).filter(([, { valid }]) => !valid)
  const list = invalid.map(([signal, { trading_ticker }]) => `${signal} -> ${trading_ticker}`).join(', ')
  return `Cannot ${verb} with invalid ticker mappings: ${list}. Please fix leverage issues or use valid tickers.`
}

/** Warnings of the schedule, which do not block the form. */
export function scheduleWarning(form: DeployForm, isDaily: boolean): string | null {
  if (!isDaily) return null
  if (form.bypassMarketHours) {
    return 'Daily strategies run on business days only. For 24/7 assets (weekends), use hourly/15m.'
  }
  const hasWeekend = form.tradingDays.includes('Saturday') || form.tradingDays.includes('Sunday')
  return hasWeekend ? 'Weekend days will be ignored for daily strategies aligned to business days.' : null
}

/** A new deployment is refused for hours that its schedule does not keep; an edit is warned. */
export function hoursProblem({ bypassMarketHours }: DeployForm, isDaily: boolean): string | null {
  if (!bypassMarketHours || !isDaily) return null
  return (
    'A strategy on daily bars is checked on business days, during market hours. ' +
    'Choose Market Hours Only, or a strategy on hourly or 15-minute bars for 24/7 Trading.'
  )
}

/** Problems of fields that are behind “More”: strategy and account are in sight. */
export const hiddenProblems = (problems: readonly string[], strategy: DeployableStrategy | undefined): string[] =>
  problems.filter(
    (problem) =>
      problem !== SELECT_STRATEGY && problem !== SELECT_ACCOUNT && problem !== strategy?.not_deployable_reason,
  )

/** The fill timing of a backtest that trades when this schedule does; the server replays the deployment by it. */
const fillTimingOf = (form: DeployForm, isDaily: boolean) =>
  form.tradingFrequencyType === 'end_of_day' && isDaily ? 'next_close' : 'next_open'

/** What a decision of the model knows and when it is traded; null for a strategy that predicts nothing. */
export function timingNote(
  form: DeployForm,
  strategy: DeployableStrategy | undefined,
  isDaily: boolean,
): string | null {
  if (!strategy?.fill_timing) return null
  const timing = fillTimingOf(form, isDaily)
  const traded =
    timing === 'next_close'
      ? 'Decides by the bar of the session before and trades near the close'
      : 'Decides by the newest complete bar and trades at the first check after it'
  return `${traded}: the order fill “${choiceLabel('fillTiming', timing)}” of a backtest, by which the deployment is replayed.`
}

/** The backtest and this schedule trade at different times; null where they do not. */
export function timingWarning(
  form: DeployForm,
  strategy: DeployableStrategy | undefined,
  isDaily: boolean,
): string | null {
  const tested = strategy?.fill_timing
  const timing = fillTimingOf(form, isDaily)
  if (!tested || tested === timing) return null
  return (
    `The strategy was tested with the order fill “${choiceLabel('fillTiming', tested)}”, and this schedule trades at another time. ` +
    `Backtest it with “${choiceLabel('fillTiming', timing)}” to see what is traded.`
  )
}

/** The backtest and this deployment rebalance at different times; null where they do not, or nothing was tested. */
export function rebalancingWarning(
  { rebalanceFrequency }: Pick<DeployForm, 'rebalanceFrequency'>,
  strategy: DeployableStrategy | undefined,
): string | null {
  const tested = strategy?.tested_rebalance_frequency ?? null
  if (kindNamed(strategy?.strategy_type).hasBlocks || tested === null || tested === rebalanceFrequency) return null
  return `Tested with ${rebalancingWords(tested)}; this deployment uses ${rebalancingWords(rebalanceFrequency)}.`
}

const rebalancingWords = (frequency: DeployForm['rebalanceFrequency']): string =>
  frequency === 'none' ? 'no scheduled rebalancing' : `${frequency} rebalancing`

/** `Quarterly, as tested`, or what the deployment and the backtest do differently. Blocks of rules have their own. */
export function rebalancingLine(
  form: Pick<DeployForm, 'rebalanceFrequency'>,
  strategy: DeployableStrategy | undefined,
): string {
  if (kindNamed(strategy?.strategy_type).hasBlocks) return 'By its rules'
  const words = form.rebalanceFrequency === 'none' ? 'Not scheduled' : capitalised(form.rebalanceFrequency)
  const tested = strategy?.tested_rebalance_frequency ?? null
  if (tested === null) return words
  return tested === form.rebalanceFrequency ? `${words}, as tested` : `${words}. Tested: ${tested}`
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Null where it is blank or there already. */
export function addedEmail(emails: readonly string[], typed: string): string[] | null {
  const email = typed.trim()
  if (email === '' || emails.some((one) => one.toLowerCase() === email.toLowerCase())) return null
  return [...emails, email]
}

export const HOLDOUT_BOUNDS = { min: 1, max: 99 }

/** 1 to 99, whatever was typed. */
export function clampedHoldout(typed: string): number {
  const size = Math.round(Number(typed))
  return Number.isFinite(size) ? Math.min(HOLDOUT_BOUNDS.max, Math.max(HOLDOUT_BOUNDS.min, size)) : HOLDOUT_BOUNDS.min
}

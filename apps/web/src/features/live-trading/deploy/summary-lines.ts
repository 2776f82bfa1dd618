import type { AccountPosition, DeployableStrategy, TradingAccount } from '@tradewright/contract/live-trading-fields'
import { formatMoney } from '../../../lib/format.ts'
import { daysText, percentText } from '../deployment-words.ts'
import { contributedValue, type DeployForm } from './draft.ts'

export function capitalLine(form: DeployForm, positions: readonly AccountPosition[]): string {
  if (form.contributionMode === 'positions') return formatMoney(contributedValue(form, positions))
  const value = Number(form.capitalValue)
  return form.capitalPolicy === 'percent_of_account' ? `${percentText(value)} of account` : formatMoney(value)
}

export function scheduleLine(form: DeployForm): string {
  const often =
    form.tradingFrequencyType === 'end_of_day'
      ? `${form.minutesBeforeClose} minutes before close`
      : `Every ${form.checkFrequencyMinutes} minutes`
  return form.tradingDays.length === 0 ? often : `${often}, ${daysText(form.tradingDays).toLowerCase()}`
}

/** What is sold short, and what borrowed shares cost in the backtest and in the account; none for most strategies. */
export function shortLines(
  strategy: DeployableStrategy | undefined,
  account: TradingAccount | undefined,
): { label: string; text: string }[] {
  if (!strategy || strategy.short_tickers.length === 0) return []
  const tested = strategy.short_borrow_pct
  const own = account?.short_borrow_pct ?? null
  const inAccount =
    !account || account.shorting_allowed !== true
      ? ''
      : own === null
        ? ' The broker charges its own rate.'
        : own === tested
          ? ' This account charges the same.'
          : ` This account charges ${percentText(own)}.`
  const rate = tested === null ? '' : `: borrowed shares cost ${percentText(tested)} a year in its backtest.`
  return [{ label: 'Sold short', text: `${strategy.short_tickers.join(', ')}${rate}${inAccount}` }]
}

/** The stop of each position, which comes with the strategy. */
export function stopLines(strategy: DeployableStrategy | undefined): { label: string; text: string }[] {
  const stop = strategy?.position_stop
  if (!stop) return []
  const from = stop.type === 'fixed' ? 'its entry price' : 'its best price'
  const text = `Each position is closed ${percentText(stop.pct)} from ${from}, while this program runs and the deployment is not paused.`
  return [{ label: 'Stop', text }]
}

import type { AccountPosition } from '@tradewright/contract/live-trading-fields'
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

import {
  type BacktestSetting,
  choiceLabel,
  settingEntries,
  type SettingName,
} from '@tradewright/core/backtest-settings'
import { formatMoney, formatNumber } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import type { StudioResult } from '../answer/studio-result.ts'
import classes from '../results/results.module.css'

/** What the run was asked for, to a reader who does not have its form. */
export function SettingsCard({ result }: { result: StudioResult }) {
  return (
    <Card title="Settings" hint="With the same data they give the same result">
      <div className={classes.body}>
        <Facts>
          <Fact label="Period">{formatDateRange(result.start_date, result.end_date)}</Fact>
          <Fact label="Data granularity">{result.data_granularity}</Fact>
          {settingFacts(result.settings).map(([label, text]) => (
            <Fact key={label} label={label}>
              {text}
            </Fact>
          ))}
          <Fact label="Seed">{result.seed}</Fact>
        </Facts>
      </div>
    </Card>
  )
}

type Settings = StudioResult['settings']

/** Each setting that a reader should know, by its label. */
export const settingFacts = (settings: Settings): [label: string, text: string][] =>
  settingEntries.flatMap(([name, setting]) => {
    const text = settingText(name, setting, settings)
    return text === null ? [] : [[setting.label, text]]
  })

/** How a setting is told where its value alone is not enough; null: not at all. */
const OWN_TEXT: Partial<Record<SettingName, (settings: Settings) => string | null>> = {
  cashflow: ({ cashflow, cashflow_kind, cashflow_freq }) => {
    if (cashflow === 0) return 'None'
    const amount = cashflow_kind === 'percent' ? `${cashflow}% of the balance` : formatMoney(cashflow)
    const growing = cashflow_kind === 'inflation' ? ' growing with inflation' : ''
    return `${amount}${growing}, ${cashflow_freq.toLowerCase()}`
  },
  cashflowFreq: () => null,
  cashflowKind: () => null,
  // The header of the report names it, with its leverage.
  referenceTicker: () => null,
  maintenanceMargin: ({ maintenance_margin: margin }) =>
    margin === 'us' || margin === 'off' ? choiceLabel('maintenanceMargin', margin) : `${margin}% of every position`,
}

function settingText(name: SettingName, setting: BacktestSetting, settings: Settings): string | null {
  const own = OWN_TEXT[name]
  if (own) return own(settings)
  const value = settings[setting.result as keyof Settings]
  // What came later than the first settings, and what may be left out, is told where it is used.
  const isUsual = value === setting.default && (setting.mayLack !== undefined || setting.default === undefined)
  if (value === undefined || value === null || isUsual) return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string') return choiceLabel(name, value)
  if (setting.unit === '$') return formatMoney(value)
  return formatNumber(value, { decimals: 2, minDecimals: 0, suffix: setting.unit ?? '' })
}

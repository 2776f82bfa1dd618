import { FILL_TIMINGS } from '@tradewright/contract/backtests'
import { formatMoney, formatNumber } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { FILL_LABELS } from '../../../strategy-form/fill-labels.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import type { StudioResult } from '../answer/studio-result.ts'
import classes from '../results/results.module.css'

const yesOrNo = (flag: boolean): string => (flag ? 'Yes' : 'No')

/** What the run was asked for, to a reader who does not have its form. */
export function SettingsCard({ result }: { result: StudioResult }) {
  const { settings } = result
  const fill = FILL_TIMINGS.find((timing) => timing === settings.fill_timing)
  return (
    <Card title="Settings" hint="With the same data they give the same result">
      <div className={classes.body}>
        <Facts>
          <Fact label="Period">{formatDateRange(result.start_date, result.end_date)}</Fact>
          <Fact label="Data granularity">{result.data_granularity}</Fact>
          <Fact label="Starting value">{formatMoney(settings.start_value)}</Fact>
          <Fact label="Cashflow">
            {settings.cashflow === 0 ? 'None' : `${cashflowText(settings)}, ${settings.cashflow_freq.toLowerCase()}`}
          </Fact>
          {settings.short_borrow_pct !== null && (
            <Fact label="Borrow rate of short positions">{settings.short_borrow_pct}% a year</Fact>
          )}
          <Fact label="Rebalancing">
            {settings.rebalance_frequency}
            {settings.rebalance_band_pct !== null && `, band ${settings.rebalance_band_pct}%`}
          </Fact>
          <Fact label="Trading cost">
            {formatNumber(settings.trading_cost_bps, { decimals: 2, minDecimals: 0, suffix: ' bps' })}
          </Fact>
          <Fact label="Commission">{formatMoney(settings.commission)}</Fact>
          {settings.half_spread_bps > 0 && (
            <Fact label="Half-spread">
              {formatNumber(settings.half_spread_bps, { decimals: 2, minDecimals: 0, suffix: ' bps' })}
            </Fact>
          )}
          {settings.impact_factor > 0 && <Fact label="Market impact">{settings.impact_factor}×</Fact>}
          <Fact label="Maintenance margin">{marginText(settings.maintenance_margin)}</Fact>
          {settings.ended_ticker !== 'stop' && settings.delisting_return_pct !== 0 && (
            <Fact label="Final value of ended tickers">{settings.delisting_return_pct}% off the last price</Fact>
          )}
          <Fact label="Fill timing">{fill ? FILL_LABELS[fill] : settings.fill_timing}</Fact>
          <Fact label="Reinvest dividends">{yesOrNo(settings.invest_dividends)}</Fact>
          <Fact label="Adjust for inflation">{yesOrNo(settings.adjust_inflation)}</Fact>
          <Fact label="Seed">{result.seed}</Fact>
        </Facts>
      </div>
    </Card>
  )
}

function cashflowText({ cashflow, cashflow_kind }: StudioResult['settings']): string {
  if (cashflow_kind === 'percent') return `${cashflow}% of the balance`
  return cashflow_kind === 'inflation' ? `${formatMoney(cashflow)} growing with inflation` : formatMoney(cashflow)
}

function marginText(margin: string): string {
  if (margin === 'us') return 'As at US brokers'
  return margin === 'off' ? 'Off' : `${margin}% of every position`
}

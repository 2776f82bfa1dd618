import type { StudioResult } from '../answer/studio-result.ts'
import {
  formatCount,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRatio,
  formatSignedPercent,
} from '../../../lib/format.ts'
import { formatDate, formatDateRange, formatMonth } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/card.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { HOW, howSortino } from './explanations.ts'
import { reasonOf } from './reason.ts'
import classes from './results.module.css'

type Month = StudioResult['metrics']['best_month']

/** The fuller figures, each with how it is computed where the name does not say. */
export function MoreFigures({ result }: { result: StudioResult }) {
  const { metrics, settings } = result
  const { max_drawdown: fall } = metrics
  const figure = (
    name: 'volatility' | 'sortino' | 'calmar' | 'turnover' | 'win_rate' | 'money_weighted_return',
    shown: string,
    how: string,
  ) => ({
    children: metrics[name] === null ? 'n/a' : shown,
    note: metrics[name] === null ? reasonOf(result, `metrics.${name}`) : how,
  })
  return (
    <Card title="Figures" hint={`Returns exclude cash flows. Risk-free: ${result.risk_free}`}>
      <div className={classes.body}>
        <Facts>
          <Fact label="Total return" note="Growth of one dollar" how={HOW.totalReturn}>
            {formatSignedPercent(metrics.total_return)}
          </Fact>
          <Fact
            label="Money-weighted return"
            how={HOW.moneyWeightedReturn}
            {...figure(
              'money_weighted_return',
              formatSignedPercent(metrics.money_weighted_return),
              'Yearly, with cash flows',
            )}
          />
          <Fact
            label="Volatility"
            how={HOW.volatility}
            {...figure('volatility', formatPercent(metrics.volatility), 'Yearly')}
          />
          <Fact
            label="Sortino"
            how={howSortino(result)}
            {...figure('sortino', formatRatio(metrics.sortino), 'Excess return divided by downside deviation')}
          />
          <Fact
            label="Calmar"
            how={HOW.calmar}
            {...figure('calmar', formatRatio(metrics.calmar), 'CAGR divided by max drawdown')}
          />
          <Fact
            label="Max drawdown"
            how={HOW.maxDrawdown}
            note={
              `${formatDateRange(fall.peak_date, fall.trough_date)}, ` +
              (fall.recovery_date ? `recovered ${formatDate(fall.recovery_date)}` : 'not recovered')
            }
          >
            {formatPercent(fall.depth)}
          </Fact>
          <Fact label="Best month" how={HOW.bestMonth} note={monthOf(metrics.best_month)}>
            {formatSignedPercent(metrics.best_month?.return)}
          </Fact>
          <Fact label="Worst month" how={HOW.worstMonth} note={monthOf(metrics.worst_month)}>
            {formatSignedPercent(metrics.worst_month?.return)}
          </Fact>
          <Fact label="Best year" how={HOW.bestYear} note={metrics.best_year && String(metrics.best_year.year)}>
            {formatSignedPercent(metrics.best_year?.return)}
          </Fact>
          <Fact label="Worst year" how={HOW.worstYear} note={metrics.worst_year && String(metrics.worst_year.year)}>
            {formatSignedPercent(metrics.worst_year?.return)}
          </Fact>
          {metrics.month_end && <MonthEndFacts figures={metrics.month_end} />}
          <Fact
            label="Turnover"
            how={HOW.turnover}
            {...figure(
              'turnover',
              formatNumber(metrics.turnover, { decimals: 2, suffix: '×' }),
              'Times account value, per year',
            )}
          />
          <Fact label="Exposure" how={HOW.exposure} note="Average percentage invested">
            {formatPercent(metrics.exposure)}
          </Fact>
          <Fact label="Trades" how={HOW.trades} note={`${formatMoney(metrics.traded_value)} traded`}>
            {formatCount(metrics.number_of_trades)}
          </Fact>
          <Fact
            label="Win rate"
            how={HOW.winRate}
            {...figure('win_rate', formatPercent(metrics.win_rate), 'Of round trips')}
          />
          <Fact
            label="Costs"
            how={HOW.costs}
            note={`${formatNumber(settings.trading_cost_bps, { decimals: 2, minDecimals: 0 })} bps and ${formatMoney(settings.commission)} a trade`}
          >
            {formatMoney(metrics.fees)}
          </Fact>
          <Fact label="Dividends" how={HOW.dividends}>
            {formatMoney(metrics.dividends)}
          </Fact>
          <Fact label="Interest paid" how={HOW.interest}>
            {formatMoney(metrics.interest)}
          </Fact>
          {settings.adjust_inflation && (
            <Fact label="Nominal end value" note="Before inflation adjustment">
              {formatMoney(metrics.nominal_end_value)}
            </Fact>
          )}
          <Fact label="Rebalancing">{settings.rebalance_frequency}</Fact>
          <Fact label="Repeatable" how={HOW.repeatable} note={`data ${result.fingerprint}`}>
            seed {result.seed}
          </Fact>
        </Facts>
      </div>
    </Card>
  )
}

/** Beside figures of bars, so that a reader can compare with tables printed elsewhere. */
function MonthEndFacts({ figures }: { figures: NonNullable<StudioResult['metrics']['month_end']> }) {
  return (
    <>
      <Fact label="Volatility, month ends" how={HOW.monthEnd} note="Yearly">
        {formatPercent(figures.volatility)}
      </Fact>
      <Fact label="Sharpe, month ends" how={HOW.monthEnd} note={`Sortino ${formatRatio(figures.sortino)}`}>
        {formatRatio(figures.sharpe)}
      </Fact>
      <Fact label="Drawdown, month ends" how={HOW.monthEnd} note="Declines within a month are not counted">
        {formatPercent(figures.max_drawdown)}
      </Fact>
    </>
  )
}

const monthOf = (month: Month) => month && formatMonth(`${month.year}-${String(month.month).padStart(2, '0')}-01`)

import type { StudioResult } from '../../answer/studio-result.ts'
import { formatDateRange } from '../../../../lib/format-time.ts'
import { formatMoney, formatPercent, formatRatio, formatSignedPercent } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { Delta, Fact, Facts } from '../../../../ui/table/figure.tsx'
import { reasonOf } from './reason.ts'
import classes from '../results.module.css'

export function ReferenceCard({ result }: { result: StudioResult }) {
  const {
    reference_cagr: cagr,
    reference_sharpe: sharpe,
    reference_metrics: metrics,
    reference_period: period,
  } = result
  return (
    <Card title="Reference" folds>
      <div className={classes.body}>
        <Facts>
          <Fact label="Name">{result.reference_backtest_name}</Fact>
          {period && <Fact label="Compared over">{formatDateRange(period.start_date, period.end_date)}</Fact>}
          <Fact label="CAGR" note={cagr === null && reasonOf(result, 'reference_cagr')}>
            {cagr === null ? 'n/a' : <Delta value={cagr}>{formatSignedPercent(cagr)}</Delta>}
          </Fact>
          <Fact label="Sharpe" note={sharpe === null && reasonOf(result, 'reference_sharpe')}>
            {sharpe === null ? 'n/a' : formatRatio(sharpe)}
          </Fact>
          {metrics && <Fact label="Max drawdown">{formatPercent(metrics.max_drawdown.depth)}</Fact>}
          {metrics && <Fact label="Total return">{formatSignedPercent(metrics.total_return)}</Fact>}
          <Fact label="End value">{formatMoney(result.reference_account_value_history?.at(-1))}</Fact>
        </Facts>
        {period && isShorter(result, period) && (
          <p className={classes.note}>
            The two are compared over a part of this run only. In that period this result has a CAGR of{' '}
            {formatSignedPercent(period.own_metrics.cagr)}, a Sharpe ratio of {formatRatio(period.own_metrics.sharpe)}{' '}
            and a largest drawdown of {formatPercent(period.own_metrics.max_drawdown.depth)}.
          </p>
        )}
      </div>
    </Card>
  )
}

const isShorter = (
  { test_dates: dates }: StudioResult,
  period: NonNullable<StudioResult['reference_period']>,
): boolean => dates[0]?.slice(0, 10) !== period.start_date || dates.at(-1)?.slice(0, 10) !== period.end_date

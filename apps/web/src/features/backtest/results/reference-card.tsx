import type { StudioResult } from '../answer/studio-result.ts'
import { formatMoney, formatPercent, formatRatio, formatSignedPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { Delta } from '../../../ui/figure.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { reasonOf } from './reason.ts'
import classes from './results.module.css'

export function ReferenceCard({ result }: { result: StudioResult }) {
  const { reference_cagr: cagr, reference_sharpe: sharpe, reference_metrics: metrics } = result
  return (
    <Card title="Reference">
      <div className={classes.body}>
        <Facts>
          <Fact label="Name">{result.reference_backtest_name}</Fact>
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
      </div>
    </Card>
  )
}

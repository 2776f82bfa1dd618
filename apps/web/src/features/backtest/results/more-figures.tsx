import { allMetrics, type Metric, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { formatMoney, formatPercent, formatRatio } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import type { StudioResult } from '../answer/studio-result.ts'
import { HOW, howOf } from './explanations.ts'
import { metricNote, metricText, metricValue } from './metric-value.ts'
import { reasonOf } from './reason.ts'
import classes from './results.module.css'

/** Every metric that is not above the chart, each with how it is computed. */
export function MoreFigures({ result }: { result: StudioResult }) {
  const { metrics, settings } = result
  return (
    <Card title="Figures" hint={`Returns exclude cash flows. Risk-free: ${result.risk_free}`}>
      <div className={classes.body}>
        <Facts>
          {allMetrics
            .filter(({ isHeadline }) => !isHeadline)
            .map((metric) => (
              <MetricFact key={metric.key} metric={metric} result={result} />
            ))}
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

function MetricFact({ metric, result }: { metric: Metric; result: StudioResult }) {
  const { metrics } = result
  const how = howOf(metric.key, result)
  if (metric.value === 'month ends') return metrics.month_end && <MonthEndFacts figures={metrics.month_end} how={how} />
  const isMissing = metric.value === 'figure' && metricValue(metric, metrics) === null
  return (
    <Fact
      label={metric.label}
      how={how}
      note={isMissing ? reasonOf(result, `metrics.${wireKeyOf(metric)}`) : metricNote(metric, result)}
    >
      {isMissing ? 'n/a' : metricText(metric, metrics)}
    </Fact>
  )
}

interface MonthEndProps {
  figures: NonNullable<StudioResult['metrics']['month_end']>
  how: string
}

/** Beside figures of bars, so that a reader can compare with tables printed elsewhere. */
function MonthEndFacts({ figures, how }: MonthEndProps) {
  return (
    <>
      <Fact label="Volatility, month ends" how={how} note="Yearly">
        {formatPercent(figures.volatility)}
      </Fact>
      <Fact label="Sharpe, month ends" how={how} note={`Sortino ${formatRatio(figures.sortino)}`}>
        {formatRatio(figures.sharpe)}
      </Fact>
      <Fact label="Drawdown, month ends" how={how} note="Declines within a month are not counted">
        {formatPercent(figures.max_drawdown)}
      </Fact>
    </>
  )
}

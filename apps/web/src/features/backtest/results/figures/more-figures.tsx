import { allMetrics, type Metric, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatDateRange } from '../../../../lib/format-time.ts'
import { capitalised, formatMoney, formatPercent, formatRatio } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../../ui/table/figure.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import { HOW, howOf } from './explanations.ts'
import { metricNote, metricText, metricValue } from './metric-value.ts'
import { reasonOf } from './reason.ts'
import classes from '../results.module.css'

interface FiguresProps {
  result: StudioResult
  group: Metric['group']
  title: string
  hint?: string
  folds?: boolean
  children?: ReactNode
}

/** On a narrow screen the rest is behind a button. */
const FEW = 4

/** The metrics of one group that are not above the chart, each with how it is computed. */
function Figures({ result, group, title, hint, folds = false, children }: FiguresProps) {
  const [isAll, setAll] = useState(false)
  const metrics = allMetrics.filter((metric) => metric.group === group && !metric.isHeadline)
  return (
    <Card title={title} hint={hint} folds={folds}>
      <div className={`${classes.body} ${classes.figures}`} data-all={isAll || metrics.length <= FEW}>
        <Facts>
          {metrics.map((metric) => (
            <MetricFact key={metric.key} metric={metric} result={result} />
          ))}
          {children}
        </Facts>
        <Button className={classes.allFigures ?? ''} variant="default" onClick={() => setAll(true)}>
          Show all figures
        </Button>
      </div>
    </Card>
  )
}

/** Returns, and what the reader needs to repeat the run. */
export function MoreFigures({ result }: { result: StudioResult }) {
  const { metrics, settings } = result
  return (
    <Figures
      result={result}
      group="return"
      title="Figures"
      hint={`Returns exclude cash flows. Risk-free: ${result.risk_free}`}
      folds
    >
      {settings.adjust_inflation && (
        <Fact label="Nominal end value" note="Before inflation adjustment">
          {formatMoney(metrics.nominal_end_value)}
        </Fact>
      )}
      <Fact label="Rebalancing">{capitalised(settings.rebalance_frequency)}</Fact>
      <Fact label="Repeatable" how={HOW.repeatable} note={`data ${result.fingerprint}`}>
        seed {result.seed}
      </Fact>
    </Figures>
  )
}

export const RiskFigures = ({ result }: { result: StudioResult }) => (
  <Figures result={result} group="risk" title="Risk figures" hint={`Risk-free: ${result.risk_free}`} />
)

/** Without a reference there is nothing to say. */
export function ReferenceFigures({ result }: { result: StudioResult }) {
  const { reference_backtest_name: name, reference_period: period } = result
  if (name === null) return null
  const over = period ? `, ${formatDateRange(period.start_date, period.end_date)}` : ''
  return (
    <Figures result={result} group="reference" title={`Against ${name}`} hint={`On the bars both have${over}`} folds />
  )
}

export const TradingFigures = ({ result }: { result: StudioResult }) => (
  <Figures result={result} group="trading" title="Trading" folds />
)

function MetricFact({ metric, result }: { metric: Metric; result: StudioResult }) {
  const { metrics } = result
  const how = howOf(metric.key, result)
  if (metric.value === 'month ends') return metrics.month_end && <MonthEndFacts figures={metrics.month_end} how={how} />
  const isMissing = metricValue(metric, metrics) === null
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

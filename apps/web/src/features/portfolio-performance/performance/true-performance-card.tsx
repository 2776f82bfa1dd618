import { methodText, type Portfolio } from '@tradewright/contract/portfolio'
import { lazy, Suspense, useMemo } from 'react'
import { formatCount, formatMoney, formatShortMoney, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta, Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { BenchmarkFigure } from './benchmark-figure.tsx'
import { growthDrawing } from './chart-points.ts'
import { HOW } from '../explanations.ts'
import { otherReadingNote } from '../messages.ts'
import { MissingBenchmarks } from './missing-benchmarks.tsx'
import type { Period, PeriodEdit } from '../period.ts'
import { PeriodFilter } from './period-filter.tsx'
import screen from '../portfolio-performance-screen.module.css'
import classes from './true-performance-card.module.css'

const LineChart = lazy(() => import('../../../ui/chart/line-chart.tsx'))
const CHART_HEIGHT = 240

interface TruePerformanceCardProps {
  portfolio: Portfolio
  period: Period
  edit: (edit: PeriodEdit) => void
  isStale: boolean
  withSynthetic: boolean
  onSynthetic: (withSynthetic: boolean) => void
}

/** The return without cash flows, beside the market's. */
export function TruePerformanceCard({ portfolio, period, edit, isStale, ...synthetic }: TruePerformanceCardProps) {
  const hasBenchmark = portfolio.spy_cagr !== null || portfolio.tqqq_cagr !== null
  return (
    <Card
      title="True performance"
      hint={periodWords(portfolio)}
      {...(portfolio.benchmarks_synthetic && hasBenchmark ? { actions: <SourceBadge synthetic /> } : {})}
    >
      <PeriodFilter period={period} edit={edit} />
      <div className={screen.stale} data-stale={isStale}>
        <Return portfolio={portfolio} />
        <Comparison portfolio={portfolio} />
        <MissingBenchmarks portfolio={portfolio} {...synthetic} />
        <Growth portfolio={portfolio} />
      </div>
    </Card>
  )
}

function periodWords({ start_date, end_date }: Portfolio): string {
  if (!start_date || !end_date) return 'No account values in this period'
  return start_date === end_date ? formatDate(start_date) : formatDateRange(start_date, end_date)
}

function Return({ portfolio }: { portfolio: Portfolio }) {
  const { cagr_excluding_contributions: value, is_annualised, notes, cagr_calculation_method } = portfolio
  return (
    <div className={classes.lead}>
      <dl className={classes.figure}>
        <dt>
          {is_annualised ? 'Yearly return, excluding contributions' : 'Return of the period, excluding contributions'}
        </dt>
        <dd className="tabular">
          {value === null ? (
            'N/A'
          ) : (
            <Delta value={value} withArrow>
              {formatSignedPercent(value, 2)}
            </Delta>
          )}
        </dd>
      </dl>
      <div className={classes.words}>
        <p className={classes.question}>How is this computed?</p>
        <p className={classes.method}>{methodText(cagr_calculation_method)}</p>
        {otherReadingNote(portfolio) && <p className={classes.warning}>{otherReadingNote(portfolio)}</p>}
        {value === null && notes['cagr_excluding_contributions'] && (
          <p className={classes.method}>{notes['cagr_excluding_contributions']}</p>
        )}
      </div>
    </div>
  )
}

function Comparison({ portfolio }: { portfolio: Portfolio }) {
  const { money_weighted_return: own, total_return: total, notes, is_annualised } = portfolio
  return (
    <MetricsStrip>
      <BenchmarkFigure name="SPY" portfolio={portfolio} />
      <BenchmarkFigure name="TQQQ" portfolio={portfolio} />
      <Figure
        label="Money-weighted return"
        rank="second"
        how={HOW.moneyWeighted}
        note={
          own === null
            ? notes['money_weighted_return']
            : `Your own return (XIRR), ${is_annualised ? 'yearly' : 'not annualised'}`
        }
      >
        {own === null ? 'N/A' : <Delta value={own}>{formatSignedPercent(own, 2)}</Delta>}
      </Figure>
      <Figure
        label="Total return"
        rank="second"
        how={HOW.totalReturn}
        note={total === null ? notes['total_return'] : 'Of the whole period'}
      >
        {total === null ? 'N/A' : <Delta value={total}>{formatSignedPercent(total, 2)}</Delta>}
      </Figure>
      <Figure
        label="Net contributions"
        rank="second"
        how={HOW.netContributions}
        note={`${formatMoney(portfolio.net_contributions)} · ${counted(portfolio.cash_flows_count, 'cash flow')} after the start, ${counted(portfolio.sub_periods_count, 'sub-period')}`}
      >
        {formatShortMoney(portfolio.net_contributions)}
      </Figure>
    </MetricsStrip>
  )
}

const counted = (count: number, word: string): string => `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`

function Growth({ portfolio }: { portfolio: Portfolio }) {
  const drawing = useMemo(() => growthDrawing(portfolio), [portfolio])
  if (portfolio.growth.length < 2) return null
  const last = portfolio.growth.at(-1)
  const summary =
    `Growth since the start of the period: your account ${drawing.format(last?.portfolio ?? Number.NaN)}, ` +
    `SPY ${drawing.format(last?.spy ?? Number.NaN)}, TQQQ ${drawing.format(last?.tqqq ?? Number.NaN)}.`
  return (
    <div className={classes.chart}>
      <Suspense fallback={<div style={{ height: CHART_HEIGHT + 24 }} />}>
        <LineChart drawing={drawing} height={CHART_HEIGHT} summary={summary} />
      </Suspense>
    </div>
  )
}

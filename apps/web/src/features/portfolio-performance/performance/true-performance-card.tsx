import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { methodText, type Portfolio, PERIOD_FILTERS } from '@tradewright/contract/portfolio'
import { lazy, Suspense, useMemo } from 'react'
import { Button, SegmentedControl } from '@mantine/core'
import {
  formatCount,
  formatMoney,
  formatShortMoney,
  formatSignedPercent,
  formatPercentagePoints,
} from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta, Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { growthDrawing } from './equity-card.tsx'
import { HOW, otherReadingNote } from '../messages.ts'
import { type Period, type PeriodEdit, isApplicable, PERIOD_LABELS } from '../period.ts'
import screen from '../portfolio-performance-screen.module.css'
import classes from './true-performance-card.module.css'
import { TextField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import fields from '../../../ui/form/fields.module.css'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import missingBenchmarksClasses from './missing-benchmarks.module.css'

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

const OPTIONS = PERIOD_FILTERS.map((value) => ({ value, label: PERIOD_LABELS[value] }))

function PeriodFilter({ period, edit }: { period: Period; edit: (edit: PeriodEdit) => void }) {
  return (
    <form
      className={classes.filter}
      aria-label="Period"
      {...LEAVE_FREELY}
      onSubmit={(event) => {
        event.preventDefault()
        edit({ type: 'apply' })
      }}
    >
      <div className={classes.choice}>
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={period.filter}
          data={OPTIONS}
          classNames={{ root: fields.segments ?? '', label: fields.segment ?? '', indicator: fields.indicator ?? '' }}
          onChange={(filter) => edit({ type: 'filter', filter })}
        />
        {period.filter !== 'all' && <Tag tone="accent">Filtered</Tag>}
      </div>
      {period.filter === 'custom' && (
        <div className={classes.dates}>
          <TextField
            label="Start date"
            type="date"
            value={period.start}
            onChange={(start) => edit({ type: 'dates', start })}
          />
          <TextField label="End date" type="date" value={period.end} onChange={(end) => edit({ type: 'dates', end })} />
          <Button type="submit" variant="default" disabled={!isApplicable(period)}>
            Apply
          </Button>
        </div>
      )}
    </form>
  )
}

const FIELDS = { SPY: 'spy_cagr', TQQQ: 'tqqq_cagr' } as const

/** A benchmark on the same dates with the same formatting, and how far the account is from it. */
function BenchmarkFigure({ name, portfolio }: { name: keyof typeof FIELDS; portfolio: Portfolio }) {
  const value = portfolio[FIELDS[name]]
  const own = portfolio.cagr_excluding_contributions
  return (
    <Figure
      label={`${name}, same dates`}
      rank="second"
      how={HOW.benchmark}
      note={value === null ? portfolio.notes[FIELDS[name]] : own !== null && <Distance of={own - value} from={name} />}
    >
      {value === null ? 'N/A' : <Delta value={value}>{formatSignedPercent(value, 2)}</Delta>}
    </Figure>
  )
}

function Distance({ of, from }: { of: number; from: string }) {
  return (
    <>
      <Delta value={of} withArrow>
        {formatPercentagePoints(of, 2)}
      </Delta>{' '}
      you against {from}
    </>
  )
}

interface MissingBenchmarksProps {
  portfolio: Portfolio
  withSynthetic: boolean
  onSynthetic: (withSynthetic: boolean) => void
}

/** Beside an account at a broker, made-up prices are shown only to a user who asks for them. */
function MissingBenchmarks({ portfolio, withSynthetic, onSynthetic }: MissingBenchmarksProps) {
  const { benchmarks_missing: missing, is_refreshing } = portfolio
  if (withSynthetic) {
    return (
      <div className={missingBenchmarksClasses.missing}>
        <p>
          Benchmarks without real prices are synthetic here, because you asked for them. They say nothing about the
          market.
        </p>
        <Button variant="default" onClick={() => onSynthetic(false)}>
          Real prices only
        </Button>
      </div>
    )
  }
  if (missing.length === 0 || is_refreshing) return null
  const reasons = [...new Set(missing.map(({ reason }) => reason))].filter((reason) => reason !== '')
  return (
    <div className={missingBenchmarksClasses.missing}>
      <p>
        <strong>No real prices of {missing.map(({ symbol }) => symbol).join(' and ')} on these dates.</strong>{' '}
        {reasons.join(' ')} Collect or import them in the Data Collector, and the comparison appears here.
      </p>
      <div className={missingBenchmarksClasses.actions}>
        <LinkButton to="/data-collector">Data Collector</LinkButton>
        <Button variant="default" onClick={() => onSynthetic(true)}>
          Compare with synthetic prices
        </Button>
      </div>
    </div>
  )
}

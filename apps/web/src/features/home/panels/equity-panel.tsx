import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { SegmentedControl } from '@mantine/core'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { lazy, Suspense, useMemo, useState } from 'react'
import { AccountTag } from '../../../deployment-words/account-tag.tsx'
import { formatMoney, formatSignedMoney, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import type { TimeChartLines } from '../../../ui/chart/draw-chart.ts'
import { SourceBadge, SYNTHETIC_WORDS } from '../../../ui/feedback/source-badge.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import classes from './equity-panel.module.css'
import { Panel } from './panel.tsx'
import { usePortfolio } from '../queries.ts'

const TimeChart = lazy(() => import('../../../ui/chart/time-chart.tsx'))
const NO_MARKS: never[] = []
const CHART_HEIGHT = 200
const MAX_DOTS = 60
const ignore = () => {}

export function EquityPanel({ account }: { account: BrokerageAccount }) {
  const portfolio = usePortfolio(account.id)
  return (
    <Panel
      title="Equity"
      hint={
        <span className={classes.account}>
          {account.account_name} <AccountTag isPaper={account.paper_trading} />
        </span>
      }
      link={{ to: '/portfolio-performance', text: 'Performance' }}
      query={portfolio}
      rows={6}
    >
      {(data) => <Equity portfolio={data} />}
    </Panel>
  )
}

function Equity({ portfolio }: { portfolio: Portfolio }) {
  const [period, setPeriod] = useState<EquityPeriod>('All')
  const days = useMemo(() => daysIn(portfolio.full_history, period), [portfolio, period])
  return (
    <div className={classes.body}>
      <p className={`${classes.equity} tabular`}>{formatMoney(portfolio.equity)}</p>
      {portfolio.synthetic && (
        <p className={classes.tags}>
          <SourceBadge synthetic />
        </p>
      )}
      <div className={classes.changes}>
        <DayChange portfolio={portfolio} />
        <PeriodChange portfolio={portfolio} days={days} />
      </div>
      {portfolio.warning && <p className={classes.warning}>{portfolio.warning} These are the last figures it sent.</p>}
      {portfolio.full_history.length < 2 ? (
        <p className={classes.note}>The chart starts with the second day.</p>
      ) : (
        <>
          <SegmentedControl
            className={classes.periods ?? ''}
            aria-label="Period of the chart"
            size="xs"
            data={[...EQUITY_PERIODS]}
            value={period}
            onChange={setPeriod}
          />
          <EquityChart days={days} synthetic={portfolio.synthetic} />
        </>
      )}
    </div>
  )
}

function DayChange({ portfolio: { daily_pnl, daily_pnl_percent: percent, notes } }: { portfolio: Portfolio }) {
  if (daily_pnl === null) return <p>Day change n/a: {notes['daily_pnl'] ?? 'the previous close is not known.'}</p>
  return (
    <p>
      <Delta value={daily_pnl} withArrow>
        {formatSignedMoney(daily_pnl)}
        {percent !== null && ` (${formatSignedPercent(percent / 100, 2)})`}
      </Delta>{' '}
      since the previous close
    </p>
  )
}

function PeriodChange({ portfolio, days }: { portfolio: Portfolio; days: readonly Day[] }) {
  const change = changeIn(portfolio, days)
  if (!change) return null
  const { gain, fraction, since, hasFlows } = change
  return (
    <p>
      <Delta value={gain} withArrow>
        {formatSignedMoney(gain)}
        {fraction !== null && ` (${formatSignedPercent(fraction, 2)})`}
      </Delta>{' '}
      since {formatDate(since)}
      {hasFlows && ', without deposits and withdrawals'}
    </p>
  )
}

type Day = Portfolio['full_history'][number]

function EquityChart({ days, synthetic }: { days: readonly Day[]; synthetic: boolean }) {
  const lines = useMemo(
    (): TimeChartLines => ({
      strategy: days.map(({ date, equity }) => ({ time: Date.parse(date) / 1000, value: equity })),
      reference: null,
      drawdown: null,
      startValue: days[0]?.equity ?? 0,
      watermark: synthetic ? SYNTHETIC_WORDS : null,
      isLogScale: false,
      hasDots: days.length <= MAX_DOTS,
    }),
    [days, synthetic],
  )
  if (days.length < 2) return <p className={classes.note}>This period has one day so far.</p>
  const [first, last] = [days[0], days.at(-1)]
  const summary =
    `Account value with deposits and withdrawals, ${formatDateRange(first?.date, last?.date)}: ` +
    `from ${formatMoney(first?.equity)} to ${formatMoney(last?.equity)}.`
  return (
    <Suspense fallback={<div className={classes.waiting} />}>
      <TimeChart lines={lines} marks={NO_MARKS} summary={summary} onHover={ignore} valueHeight={CHART_HEIGHT} />
    </Suspense>
  )
}

const EQUITY_PERIODS = ['1M', '3M', 'YTD', '1Y', 'All'] as const
type EquityPeriod = (typeof EQUITY_PERIODS)[number]

/** Days of the period; it begins with the last day on or before its start, whose close is what changes are counted from. */
export function daysIn(history: readonly Day[], period: EquityPeriod): readonly Day[] {
  const last = history.at(-1)
  if (!last || period === 'All') return history
  const start = startOf(period, last.date)
  const base = history.findLastIndex(({ date }) => date <= start)
  return history.slice(Math.max(0, base))
}

const MONTHS = { '1M': 1, '3M': 3, '1Y': 12 } as const

function startOf(period: Exclude<EquityPeriod, 'All'>, date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  if (period === 'YTD') return `${year - 1}-12-31`
  const months = year * 12 + month - 1 - MONTHS[period]
  const [startYear, startMonth] = [Math.floor(months / 12), months % 12]
  const lastOfMonth = new Date(Date.UTC(startYear, startMonth + 1, 0)).getUTCDate()
  return new Date(Date.UTC(startYear, startMonth, Math.min(day, lastOfMonth))).toISOString().slice(0, 10)
}

interface Change {
  since: string
  /** Without deposits and withdrawals. */
  gain: number
  /** Null where there were cash flows and the growth without them is not known. */
  fraction: number | null
  hasFlows: boolean
}

/** What the account earned in the period; null where there is no earlier day to compare with. */
export function changeIn(portfolio: Pick<Portfolio, 'equity' | 'growth'>, days: readonly Day[]): Change | null {
  const [base] = days
  if (!base || days.length < 2) return null
  const flows = days.slice(1).reduce((sum, { net_amount }) => sum + net_amount, 0)
  const hasFlows = days.slice(1).some(({ net_amount }) => net_amount !== 0)
  const gain = portfolio.equity - base.equity - flows
  const fraction = hasFlows ? growthSince(portfolio.growth, base.date) : base.equity > 0 ? gain / base.equity : null
  return { since: base.date, gain, fraction, hasFlows }
}

function growthSince(growth: Portfolio['growth'], date: string): number | null {
  const from = growth.find((point) => point.date === date)?.portfolio
  const to = growth.at(-1)?.portfolio
  return from && to !== null && to !== undefined ? to / from - 1 : null
}

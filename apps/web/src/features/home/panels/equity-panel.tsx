import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { SegmentedControl } from '@mantine/core'
import type { BrokerageAccount } from '@tradewright/contract/brokerage-accounts'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { lazy, Suspense, useMemo, useState } from 'react'
import { AccountTag } from '../../../deployment-words/account-tag.tsx'
import { formatMoney, formatSignedMoney, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import type { TimeChartLines } from '../../../ui/chart/draw-time-chart.ts'
import { SourceBadge, SYNTHETIC_WORDS } from '../../../ui/feedback/source-badge.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import classes from './equity-panel.module.css'
import { changeIn, daysIn, EQUITY_PERIODS, type EquityPeriod } from './equity-period.ts'
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

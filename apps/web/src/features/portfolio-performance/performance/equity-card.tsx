import { type Portfolio, CHART_POINTS, type GrowthPoint } from '@tradewright/contract/portfolio'
import { lazy, Suspense, useMemo, useState } from 'react'
import { brokerOf } from '@tradewright/core/broker-catalogue'
import { formatMoney, formatShortMoney, formatSignedMoney, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import classes from '../portfolio-performance-screen.module.css'
import { Delta, Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { SourceBadge, SYNTHETIC_WORDS } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { HOW } from '../messages.ts'
import summaryCardClasses from './summary-card.module.css'
import type { LineChartDrawing, TimeChartLines, TimePoint } from '../../../ui/chart/draw-chart.ts'

const TimeChart = lazy(() => import('../../../ui/chart/time-chart.tsx'))
const NO_MARKS: never[] = []

/** Deposits and withdrawals move this line; the growth above it has them taken out. */
export function EquityCard({ portfolio }: { portfolio: Portfolio }) {
  const [hovered, setHovered] = useState<number | null>(null)
  const lines = useMemo(() => equityLines(portfolio), [portfolio])
  const { history } = portfolio
  const shown = history.find(({ date }) => Date.parse(date) / 1000 === hovered) ?? history.at(-1)
  return (
    <Card title="Account value" hint="With deposits and withdrawals">
      {history.length < 2 ? (
        <p className={classes.nothing}>
          {shown
            ? `Only one day is available so far: ${formatMoney(shown.equity)} on ${formatDate(shown.date)}. The chart starts with the second day.`
            : 'There are no account values in this period.'}
        </p>
      ) : (
        <div className={classes.chart}>
          <p className={`${classes.legend} tabular`}>
            <span>{formatDate(shown?.date)}</span>
            <span>
              Equity <b>{formatMoney(shown?.equity)}</b>
            </span>
          </p>
          <Suspense fallback={<div className={classes.waiting} />}>
            <TimeChart lines={lines} marks={NO_MARKS} summary={summaryOf(history)} onHover={setHovered} />
          </Suspense>
        </div>
      )}
    </Card>
  )
}

function summaryOf(history: Portfolio['history']): string {
  const [first, last] = [history[0], history.at(-1)]
  return `Account value, ${formatDateRange(first?.date, last?.date)}: from ${formatMoney(first?.equity)} to ${formatMoney(last?.equity)}.`
}

/** The account in figures, as it stands now: the period filter does not touch them. */
export function SummaryCard({ portfolio }: { portfolio: Portfolio }) {
  const { account, equity, overall_return_percent, daily_pnl, notes } = portfolio
  return (
    <section className={summaryCardClasses.card} aria-labelledby="portfolio-account">
      <div className={summaryCardClasses.head}>
        <h2 className={summaryCardClasses.name} id="portfolio-account">
          {account.account_name}
        </h2>
        <AccountTags portfolio={portfolio} />
      </div>
      <dl className={summaryCardClasses.hero}>
        <dt>Equity</dt>
        <dd className={`${summaryCardClasses.equity} tabular`}>{formatShortMoney(equity)}</dd>
        <dd className={`${summaryCardClasses.exact} tabular`}>{formatMoney(equity)}</dd>
      </dl>
      <MetricsStrip>
        <Figure
          label="Overall return"
          how={HOW.overallReturn}
          note={notes['overall_return_percent'] ?? 'Since the account was opened'}
        >
          <Signed value={overall_return_percent} text={formatSignedPercent(fraction(overall_return_percent), 2)} />
        </Figure>
        <Figure label="Daily P&L" how={HOW.dailyPnl} note={<DailyNote portfolio={portfolio} />}>
          <Signed value={daily_pnl} text={shortSigned(daily_pnl)} />
        </Figure>
        <Figure label="Buying power" how={HOW.buyingPower} note={formatMoney(portfolio.buying_power)}>
          {formatShortMoney(portfolio.buying_power)}
        </Figure>
        <Figure label="Cash" how={HOW.cash} note={formatMoney(portfolio.cash)}>
          {formatShortMoney(portfolio.cash)}
        </Figure>
      </MetricsStrip>
    </section>
  )
}

function DailyNote({ portfolio: { daily_pnl, daily_pnl_percent: percent, notes } }: { portfolio: Portfolio }) {
  if (daily_pnl === null) return notes['daily_pnl']
  return (
    <>
      {percent !== null && <Delta value={percent}>{formatSignedPercent(percent / 100, 2)}</Delta>} since the previous
      close
    </>
  )
}

function AccountTags({ portfolio: { account, synthetic } }: { portfolio: Portfolio }) {
  return (
    <span className={summaryCardClasses.tags}>
      {account.paper_trading ? <Tag tone="accent">Paper</Tag> : <Tag tone="danger">Live money</Tag>}
      <Tag>{brokerOf(account.broker).name}</Tag>
      {account.custom_host && <Tag>{account.custom_host}</Tag>}
      {synthetic && <SourceBadge synthetic />}
    </span>
  )
}

function Signed({ value, text }: { value: number | null; text: string }) {
  return value === null ? (
    <>N/A</>
  ) : (
    <Delta value={value} withArrow>
      {text}
    </Delta>
  )
}

const fraction = (percent: number | null): number | null => percent && percent / 100

/** The short form has no plus of its own. */
function shortSigned(usd: number | null): string {
  if (usd === null || Math.abs(usd) <= 1_000) return formatSignedMoney(usd)
  return usd > 0 ? `+${formatShortMoney(usd)}` : formatShortMoney(usd)
}

/** Above this many samples, dots would hide the line. */
const DOTS_AT_MOST = 100

/** Picks at most so many items evenly; the last one is always there. */
export function downsampled<Item>(items: readonly Item[], limit = CHART_POINTS): Item[] {
  if (items.length <= limit) return [...items]
  const step = (items.length - 1) / (limit - 1)
  return Array.from({ length: limit }, (_, index) => items[Math.round(index * step)]!)
}

export const hasDots = (sampleCount: number): boolean => sampleCount <= DOTS_AT_MOST

const secondsOf = (date: string): number => Date.parse(date) / 1000

export function equityLines({ history, synthetic }: Pick<Portfolio, 'history' | 'synthetic'>): TimeChartLines {
  const shown = downsampled(history)
  return {
    strategy: shown.map(({ date, equity }) => ({ time: secondsOf(date), value: equity })),
    reference: null,
    drawdown: null,
    startValue: shown[0]?.equity ?? 0,
    watermark: synthetic ? SYNTHETIC_WORDS : null,
    isLogScale: false,
    hasDots: hasDots(shown.length),
  }
}

const GROWTH_LINES = [
  { name: 'Your account', of: 'portfolio' },
  { name: 'SPY', of: 'spy' },
  { name: 'TQQQ', of: 'tqqq' },
] as const satisfies { name: string; of: keyof GrowthPoint }[]

/** One unit at the start reads as 0 %. A line without any value is left out. */
export function growthDrawing({
  growth,
  synthetic,
  benchmarks_synthetic,
}: Pick<Portfolio, 'growth' | 'synthetic' | 'benchmarks_synthetic'>): LineChartDrawing {
  const shown = downsampled(growth)
  const lines = GROWTH_LINES.map(({ name, of }) => ({
    name,
    points: shown.map((point): TimePoint => ({ time: secondsOf(point.date), value: point[of] })),
  }))
  return {
    lines: lines.filter(({ points }) => points.some(({ value }) => value !== null)),
    format: (value) => formatSignedPercent(value - 1),
    baseline: 1,
    watermark: synthetic || benchmarks_synthetic ? SYNTHETIC_WORDS : null,
    isLogScale: false,
    hasDots: hasDots(shown.length),
  }
}

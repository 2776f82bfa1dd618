import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MonthReplay } from '@tradewright/contract/live-trading-watch'
import { lazy, Suspense, useMemo, useState } from 'react'
import {
  formatMoney,
  formatPercent,
  formatQuantity,
  formatSignedMoney,
  formatSignedPercent,
} from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta, Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { sentenceOf } from '../messages.ts'
import classes from './month-replay.module.css'
import type { TimeChartLines } from '../../../ui/chart/draw-chart.ts'

const TimeChart = lazy(() => import('../../../ui/chart/time-chart.tsx'))
const NO_MARKS: readonly never[] = []
const CHART_HEIGHT = 140
const ignoreHover = () => {}

interface MonthReplayCardProps {
  /** What is asked, as text: another question is another replay. */
  question: string
  ask: (signal: AbortSignal) => Promise<{ replay: MonthReplay }>
  /** Why it cannot be asked for yet; null where it can. */
  whyNot?: string | null
  /** Asked for as soon as it is shown. */
  isAskedAtOnce?: boolean
}

/** A trial of days that have passed, named as one: never beside the records of a deployment. */
export function MonthReplayCard({ question, ask, whyNot = null, isAskedAtOnce = false }: MonthReplayCardProps) {
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(isAskedAtOnce)
  const queryKey = ['month replay', question]
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await ask(signal)).replay,
    enabled: isAsked && whyNot === null,
    retry: false,
    staleTime: Infinity,
  })
  const cancel = () => {
    setAsked(false)
    void queries.cancelQueries({ queryKey })
  }
  const start = () => (isAsked ? void refetch() : setAsked(true))
  return (
    <Card
      title="What the last month would have looked like"
      hint={data ? formatDateRange(data.start_date, data.end_date) : undefined}
      actions={<Tag>Replay</Tag>}
    >
      <div className={classes.body}>
        {data ? (
          <ReplayView replay={data} />
        ) : isFetching ? (
          <>
            <CardSkeleton rows={3} label="Replaying the last month..." />
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            {error && <Banner kind="warning" text="The last month could not be replayed." detail={sentenceOf(error)} />}
            <p className={classes.note}>
              {whyNot ?? 'Trades the last month in a trial paper account with this capital and schedule, in seconds.'}
            </p>
            <Button
              variant="default"
              disabled={whyNot !== null}
              leftSection={<IconHistory size={16} stroke={1.7} aria-hidden />}
              onClick={start}
            >
              Replay last month
            </Button>
          </>
        )}
      </div>
    </Card>
  )
}

function ReplayView({ replay }: { replay: MonthReplay }) {
  const { start_value, end_value, order_count, decision_count, synthetic_tickers, trained_until } = replay
  const lines = useMemo(() => replayLines(replay), [replay])
  const gain = end_value - start_value
  const summary = `Replayed value from ${formatMoney(start_value)} to ${formatMoney(end_value)}.`
  return (
    <>
      <MetricsStrip>
        <Figure label="P&L" note={formatSignedPercent(gain / start_value, 2)}>
          <Delta value={gain}>{formatSignedMoney(gain)}</Delta>
        </Figure>
        <Figure label="Orders" rank="second">
          {order_count}
        </Figure>
        <Figure label="Decisions" rank="second">
          {decision_count}
        </Figure>
      </MetricsStrip>
      {replay.points.length > 1 && (
        <Suspense fallback={<div className={classes.waiting} />}>
          <TimeChart
            lines={lines}
            marks={NO_MARKS}
            summary={summary}
            onHover={ignoreHover}
            valueHeight={CHART_HEIGHT}
          />
        </Suspense>
      )}
      <p className={classes.note}>
        Traded in a trial paper account with this schedule and capital, at the prices of those days. Nothing is
        recorded.
        {trained_until &&
          ` Its model was trained on data up to ${formatDate(trained_until)}, before the replay begins.`}
      </p>
      {synthetic_tickers.length > 0 && <SourceBadge synthetic tickers={synthetic_tickers} />}
      <ReplayTables replay={replay} />
    </>
  )
}

function ReplayTables({ replay: { orders, order_count, decisions } }: { replay: MonthReplay }) {
  return (
    <details className={classes.details}>
      <summary>Decisions and orders of the replay</summary>
      <Table label="Decisions of the replay">
        <thead>
          <tr>
            <th>Date</th>
            <th>Signal</th>
            <th className={numeric}>Probability</th>
            <th>Traded</th>
          </tr>
        </thead>
        <tbody>
          {decisions.map(({ timestamp, signal_type, probability, traded }) => (
            <tr key={timestamp}>
              <td>{formatDate(timestamp)}</td>
              <td>{signal_type}</td>
              <td className={numeric}>{probability === null ? 'n/a' : formatPercent(probability, 1)}</td>
              <td>{traded ? 'Yes' : 'No'}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Table label="Orders of the replay">
        <thead>
          <tr>
            <th>Date</th>
            <th>Order</th>
            <th className={numeric}>Quantity</th>
            <th className={numeric}>Value</th>
          </tr>
        </thead>
        <tbody>
          {orders.map(({ timestamp, symbol, side, quantity, value }) => (
            <tr key={`${timestamp} ${symbol} ${side} ${quantity}`}>
              <td>{formatDate(timestamp)}</td>
              <td>
                {side === 'buy' ? 'Buy' : 'Sell'} {symbol}
              </td>
              <td className={numeric}>{formatQuantity(quantity)}</td>
              <td className={numeric}>{formatMoney(value)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {orders.length < order_count && (
        <p className={classes.note}>
          The newest {orders.length} of {order_count} orders.
        </p>
      )}
    </details>
  )
}

const replayLines = ({ points, start_value, synthetic_tickers }: MonthReplay): TimeChartLines => ({
  strategy: points.map(({ timestamp, value }) => ({ time: Math.floor(Date.parse(timestamp) / 1000), value })),
  reference: null,
  drawdown: null,
  startValue: start_value,
  watermark: synthetic_tickers.length > 0 ? 'Synthetic sample data' : 'Replay',
  isLogScale: false,
})

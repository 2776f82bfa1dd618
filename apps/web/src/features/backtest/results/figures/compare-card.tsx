import { type BacktestComparison, MAX_COMPARED } from '@tradewright/contract/backtests'
import { allMetrics, type Metric, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { IconX } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatRatio } from '../../../../lib/format.ts'
import { formatDateRange } from '../../../../lib/format-time.ts'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import { SplicedNote } from '../../../../strategy-form/data/spliced-days.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { SelectField } from '../../../../ui/form/fields.tsx'
import { IconButton } from '../../../../ui/form/buttons.tsx'
import { numeric, secondary, Table } from '../../../../ui/table/table.tsx'
import { useAllBacktests, useComparison } from '../../queries.ts'
import classes from './compare-card.module.css'
import { growthLines, isCut, splicedOf, watermarkOf } from './compared.ts'
import { metricText } from './metric-value.ts'

const LineChart = lazy(() => import('../../../../ui/chart/line-chart.tsx'))

const HEIGHT = 240

/** Saved backtests laid over this result, on the days that all of them have. */
export function CompareCard({ shownId }: { shownId: number }) {
  const saved = useAllBacktests().data ?? []
  const [ids, setIds] = useState<readonly number[]>([])
  const comparison = useComparison([shownId, ...ids].map((id) => ({ id })))
  const offered = saved.filter(({ id }) => !ids.includes(id))
  const isFull = ids.length >= MAX_COMPARED - 1
  const remove = (id: number) => setIds(ids.filter((one) => one !== id))
  if (saved.length === 0) return null
  return (
    <Card title="Compare saved backtests" hint="Growth of one dollar, and every figure, on the common period" folds>
      <div className={classes.body}>
        <SelectField
          label="Add a backtest to the comparison"
          disabled={isFull}
          hint={isFull ? `${MAX_COMPARED - 1} at a time` : undefined}
          value=""
          options={[
            { value: '', label: 'Choose…' },
            ...offered.map(({ id, name, strategy_name }) => ({
              value: String(id),
              label: strategy_name ? `${name} · ${strategy_name}` : name,
            })),
          ]}
          onChange={(id) => id && setIds([...ids, Number(id)])}
        />
        {comparison.isError && ids.length > 0 && (
          <Banner
            kind="error"
            text="These backtests cannot be compared"
            detail={comparison.error.message}
            onClose={() => setIds(ids.slice(0, -1))}
          />
        )}
        {comparison.data && !comparison.isError && ids.length > 0 && <Curves comparison={comparison.data} />}
      </div>
      {comparison.data && !comparison.isError && ids.length > 0 && (
        <ComparedTable comparison={comparison.data} ids={ids} onRemove={remove} />
      )}
    </Card>
  )
}

function Curves({ comparison }: { comparison: BacktestComparison }) {
  const { compared, start_date, end_date } = comparison
  const spliced = splicedOf(compared)
  const drawing = useMemo(
    () => ({
      lines: growthLines(compared),
      format: formatRatio,
      baseline: 1,
      watermark: watermarkOf(compared),
      isLogScale: false,
      shadedUntil: spliced?.until,
    }),
    // A result never changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [compared],
  )
  const period = formatDateRange(start_date, end_date)
  return (
    <>
      <p className={classes.period}>
        Compared over <b className="tabular">{period}</b>, the days that all of them have.
      </p>
      <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
        <LineChart
          drawing={drawing}
          height={HEIGHT}
          summary={`Growth of ${compared.map(({ name }) => name).join(', ')} over ${period}; the table below has their figures.`}
        />
      </Suspense>
      <SplicedNote spliced={spliced} />
    </>
  )
}

/** Columns that every screen shows, then those of wide ones. */
const COMPARED_METRICS = [
  ...allMetrics.filter(({ compared }) => compared === 'always'),
  ...allMetrics.filter(({ compared }) => compared === 'wide'),
]

const columnClass = ({ compared }: Metric) => (compared === 'wide' ? `${numeric} ${secondary}` : numeric)

interface ComparedTableProps {
  comparison: BacktestComparison
  /** The ids of all but the first, which is the result on show. */
  ids: readonly number[]
  onRemove: (id: number) => void
}

function ComparedTable({ comparison, ids, onRemove }: ComparedTableProps) {
  return (
    <Table label="Compared backtests">
      <thead>
        <tr>
          <th>Name</th>
          <th className={secondary}>Own period</th>
          {COMPARED_METRICS.map((metric) => (
            <th key={metric.key} className={columnClass(metric)}>
              {metric.label}
            </th>
          ))}
          <th aria-label="Actions" />
        </tr>
      </thead>
      <tbody>
        {comparison.compared.map((one, position) => {
          const { name, metrics, figure_notes, own_start_date, own_end_date, synthetic } = one
          const id = ids[position - 1]
          return (
            <tr key={id ?? 0}>
              <td>
                {name}
                {synthetic && <span className={classes.aside}>synthetic prices</span>}
              </td>
              <td className={secondary}>
                {formatDateRange(own_start_date, own_end_date)}
                {isCut(one, comparison) && <span className={classes.aside}>a part of it is compared</span>}
              </td>
              {COMPARED_METRICS.map((metric) => {
                const reason = figure_notes[wireKeyOf(metric)]
                return (
                  <td key={metric.key} className={columnClass(metric)} title={reason && `n/a because ${reason}`}>
                    {metricText(metric, metrics)}
                  </td>
                )
              })}
              <td>
                {id !== undefined && <IconButton icon={IconX} label={`Remove ${name}`} onClick={() => onRemove(id)} />}
              </td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}

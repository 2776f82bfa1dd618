import type { StudioResult } from '../answer/studio-result.ts'
import { IconX } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatPercent, formatRatio, formatSignedPercent } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/fields.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { numeric, secondary, Table } from '../../../ui/table.tsx'
import { useAllBacktests, useBacktests } from '../queries.ts'
import classes from './compare-card.module.css'
import { type Compared, growthLines, MOST_COMPARED } from './compared.ts'
import { SYNTHETIC_WATERMARK } from './curve-points.ts'

const LineChart = lazy(() => import('../../../ui/line-chart.tsx'))

const HEIGHT = 240

/** Saved backtests laid over this result, each as growth of what it started with. */
export function CompareCard({ result }: { result: StudioResult }) {
  const saved = useAllBacktests().data ?? []
  const [ids, setIds] = useState<readonly string[]>([])
  const others = useBacktests(ids)
  const compared = useMemo<Compared[]>(
    () => [
      { id: '', name: result.strategy || 'This result', result },
      ...others.map(({ id, name, result_data }) => ({ id: String(id), name, result: result_data })),
    ],
    [result, others],
  )
  const drawing = useMemo(() => drawingOf(compared), [compared])
  if (saved.length === 0) return null
  const offered = saved.filter(({ id }) => !ids.includes(String(id)))
  return (
    <Card title="Compare saved backtests" hint="Account value as a multiple of the starting value">
      <div className={classes.body}>
        <SelectField
          label="Add a backtest to the comparison"
          disabled={ids.length >= MOST_COMPARED}
          hint={ids.length >= MOST_COMPARED ? `${MOST_COMPARED} at a time` : undefined}
          value=""
          options={[
            { value: '', label: 'Choose…' },
            ...offered.map(({ id, name, strategy_name }) => ({
              value: String(id),
              label: strategy_name ? `${name} · ${strategy_name}` : name,
            })),
          ]}
          onChange={(id) => id && setIds([...ids, id])}
        />
        {ids.length > 0 && (
          <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
            <LineChart
              drawing={drawing}
              height={HEIGHT}
              summary={`Growth of ${compared.map(({ name }) => name).join(', ')}; the table below has their figures.`}
            />
          </Suspense>
        )}
      </div>
      {ids.length > 0 && (
        <ComparedTable compared={compared} onRemove={(id) => setIds(ids.filter((one) => one !== id))} />
      )}
    </Card>
  )
}

function drawingOf(compared: readonly Compared[]) {
  return {
    lines: growthLines(compared),
    format: formatRatio,
    baseline: 1,
    watermark: compared.some(({ result }) => result.synthetic) ? SYNTHETIC_WATERMARK : null,
    isLogScale: false,
  }
}

function ComparedTable({ compared, onRemove }: { compared: readonly Compared[]; onRemove: (id: string) => void }) {
  return (
    <Table label="Compared backtests">
      <thead>
        <tr>
          <th>Name</th>
          <th className={secondary}>Period</th>
          <th className={numeric}>CAGR</th>
          <th className={numeric}>Sharpe</th>
          <th className={numeric}>Max drawdown</th>
          <th className={`${numeric} ${secondary}`}>Volatility</th>
          <th aria-label="Actions" />
        </tr>
      </thead>
      <tbody>
        {compared.map(({ id, name, result }) => (
          <tr key={id}>
            <td>{name}</td>
            <td className={secondary}>{formatDateRange(result.test_dates[0], result.test_dates.at(-1))}</td>
            <td className={numeric}>{formatSignedPercent(result.cagr)}</td>
            <td className={numeric}>{formatRatio(result.sharpe)}</td>
            <td className={numeric}>{formatPercent(result.metrics.max_drawdown.depth)}</td>
            <td className={`${numeric} ${secondary}`}>{formatPercent(result.metrics.volatility)}</td>
            <td>{id && <IconButton icon={IconX} label={`Remove ${name}`} onClick={() => onRemove(id)} />}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

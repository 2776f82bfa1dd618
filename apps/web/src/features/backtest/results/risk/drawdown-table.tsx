import { useState } from 'react'
import { formatDate } from '../../../../lib/format-time.ts'
import { formatPercent } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { ShowAll, numeric, secondary, Table } from '../../../../ui/table/table.tsx'
import { Delta } from '../../../../ui/table/figure.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import { formatDays } from '../figures/metric-value.ts'

const FEW = 5

type Drawdowns = NonNullable<StudioResult['analysis']>['drawdowns']

export function DrawdownTable({ drawdowns }: { drawdowns: Drawdowns }) {
  const [isAll, setAll] = useState(false)
  if (drawdowns.length === 0) return null
  const shown = isAll ? drawdowns : drawdowns.slice(0, FEW)
  return (
    <Card title="Deepest drawdowns" hint="From a high of one dollar invested until it was reached again">
      <Table label="Deepest drawdowns">
        <thead>
          <tr>
            <th>Depth</th>
            <th className={numeric}>High</th>
            <th className={`${numeric} ${secondary}`}>Low</th>
            <th className={numeric}>Recovered</th>
            <th className={numeric}>Length</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ depth, peak_date, trough_date, recovery_date, days }) => (
            <tr key={`${peak_date} ${trough_date}`}>
              <td>
                <Delta value={depth}>{formatPercent(depth)}</Delta>
              </td>
              <td className={numeric}>{formatDate(peak_date)}</td>
              <td className={`${numeric} ${secondary}`}>{formatDate(trough_date)}</td>
              <td className={numeric}>{recovery_date ? formatDate(recovery_date) : 'Not recovered'}</td>
              <td className={numeric}>{formatDays(days)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {shown.length < drawdowns.length && (
        <ShowAll total={drawdowns.length} of="drawdowns" onShow={() => setAll(true)} />
      )}
    </Card>
  )
}

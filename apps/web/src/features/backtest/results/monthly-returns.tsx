import { useState } from 'react'
import type { StudioResult } from '../answer/studio-result.ts'
import { formatSignedPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { ShowAll, numeric, Table } from '../../../ui/table/table.tsx'
import classes from './monthly-returns.module.css'

interface MonthlyReturnsProps {
  months: StudioResult['monthly_returns']
  years: StudioResult['yearly_returns']
  /** In dollars of the first day. */
  isReal: boolean
  /** On paper, where nothing can be pressed. */
  isWhole?: boolean
}

const FEW = 5
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The strength of the tint follows the size; the signed number is always printed. */
export function MonthlyReturns({ months, years, isReal, isWhole = false }: MonthlyReturnsProps) {
  const [isAll, setAll] = useState(isWhole)
  if (months.length === 0) return null
  const rows = yearRows(months, years)
  const shown = isAll ? rows : rows.slice(0, FEW)
  return (
    <Card title="Monthly returns" hint={isReal ? 'After inflation. Cash flows excluded' : 'Cash flows excluded'} folds>
      <Table label="Monthly returns">
        <thead>
          <tr>
            <th>Year</th>
            {MONTHS.map((month) => (
              <th key={month} className={numeric}>
                {month}
              </th>
            ))}
            <th className={numeric}>Year</th>
          </tr>
        </thead>
        <tbody className={classes.body}>
          {shown.map(({ year, byMonth, whole }) => (
            <tr key={year}>
              <td className="tabular">{year}</td>
              {byMonth.map((value, month) => (
                <td key={MONTHS[month]} className={numeric} data-heat={heatOf(value)}>
                  {value === null ? '' : formatSignedPercent(value)}
                </td>
              ))}
              <td className={`${numeric} ${classes.whole}`}>{formatSignedPercent(whole)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {shown.length < rows.length && <ShowAll total={rows.length} of="years" onShow={() => setAll(true)} />}
    </Card>
  )
}

interface YearRow {
  year: number
  /** January first; null where the run has no such month. */
  byMonth: (number | null)[]
  whole: number | null
}

/** Newest year first. */
function yearRows(months: StudioResult['monthly_returns'], years: StudioResult['yearly_returns']): YearRow[] {
  const inOrder = [...new Set(months.map(({ year }) => year))].sort((a, b) => b - a)
  return inOrder.map((year) => ({
    year,
    byMonth: Array.from({ length: 12 }, (_, month) => {
      const found = months.find((one) => one.year === year && one.month === month + 1)
      return found?.return ?? null
    }),
    whole: years.find((one) => one.year === year)?.return ?? null,
  }))
}

/** Three strengths either way: under 2%, under 5%, more. */
function heatOf(value: number | null): string | undefined {
  if (value === null) return undefined
  const size = Math.abs(value)
  const strength = size < 0.02 ? 1 : size < 0.05 ? 2 : 3
  return `${value < 0 ? 'loss' : 'gain'}-${strength}`
}

import { useState } from 'react'
import { formatPercentagePoints, formatSignedPercent } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { Delta } from '../../../../ui/table/figure.tsx'
import { ShowAll, numeric, secondary, Table } from '../../../../ui/table/table.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import { reasonOf } from '../figures/reason.ts'
import classes from '../results.module.css'
import { partYears } from './annual-bars.ts'
import { YearBars } from './year-bars.tsx'

const FEW = 5

type Year = NonNullable<StudioResult['analysis']>['annual'][number]

interface YearCardProps {
  result: StudioResult
  annual: readonly Year[]
  isWhole: boolean
}

/** Calendar years beside the reference, in dollars of their day and, where inflation is adjusted for, in real ones. */
export function YearCard({ result, annual, isWhole }: YearCardProps) {
  const [isAll, setAll] = useState(isWhole)
  if (annual.length === 0) return null
  const name = result.reference_backtest_name
  const newest = annual.toReversed()
  const shown = isAll ? newest : newest.slice(0, FEW)
  const parts = partYears(result.test_dates).filter((year) => annual.some((one) => one.year === year))
  const withoutReal = reasonOf(result, 'analysis.annual.real')
  // On a phone real returns take its place.
  const difference = withoutReal ? numeric : `${numeric} ${secondary}`
  return (
    <Card title="Year by year" hint={['Cash flows excluded', ...partSentence(parts)].join('. ')}>
      <div className={classes.body}>
        <YearBars annual={[...annual]} referenceName={name} />
      </div>
      <Table label="Year by year">
        <thead>
          <tr>
            <th>Year</th>
            <th className={numeric}>Nominal</th>
            {name !== null && <th className={numeric}>{name}</th>}
            {name !== null && <th className={difference}>Difference</th>}
            {!withoutReal && <th className={numeric}>Real</th>}
            {!withoutReal && name !== null && <th className={`${numeric} ${secondary}`}>{name}, real</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((year) => (
            <tr key={year.year}>
              <td className="tabular">
                {year.year}
                {parts.includes(year.year) && ' (part)'}
              </td>
              <td className={numeric}>
                <Return value={year.nominal} />
              </td>
              {name !== null && (
                <td className={numeric}>
                  <Return value={year.reference_nominal} />
                </td>
              )}
              {name !== null && <td className={difference}>{differenceOf(year)}</td>}
              {!withoutReal && (
                <td className={numeric}>
                  <Return value={year.real} />
                </td>
              )}
              {!withoutReal && name !== null && (
                <td className={`${numeric} ${secondary}`}>
                  <Return value={year.reference_real} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </Table>
      {shown.length < annual.length && <ShowAll total={annual.length} of="years" onShow={() => setAll(true)} />}
      {withoutReal && (
        <div className={classes.body}>
          <p className={classes.note}>Real returns: {withoutReal}.</p>
        </div>
      )}
    </Card>
  )
}

const Return = ({ value }: { value: number | null }) =>
  value === null ? 'n/a' : <Delta value={value}>{formatSignedPercent(value)}</Delta>

const differenceOf = ({ nominal, reference_nominal }: Year): string =>
  nominal === null || reference_nominal === null ? 'n/a' : formatPercentagePoints(nominal - reference_nominal)

const partSentence = (years: readonly number[]): string[] =>
  years.length === 0 ? [] : [`${years.join(' and ')} in part`]

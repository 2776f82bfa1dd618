import { Button } from '@mantine/core'
import { type StudyMeasure, studyMeasures } from '@tradewright/core/rules/study'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { type Sorting, SortHeader, numeric, Table } from '../../../ui/table/table.tsx'
import {
  type CompletedStudy,
  formatMeasure,
  formatValue,
  sortedVariants,
  type StudyPart,
  type VariantColumn,
} from './study-cells.ts'
import classes from './study.module.css'

const SHOWN = 20
const MEASURES: readonly StudyMeasure[] = ['sharpe', 'cagr', 'maxDrawdown']
const PARTS: readonly (readonly [StudyPart, string])[] = [
  ['in_sample', ''],
  ['hold_out', ', hold-out'],
]

/** The first variants of any order, their figures before the hold-out beside those in it. */
export function VariantTable({ study, onUse }: { study: CompletedStudy; onUse: (cell: number) => void }) {
  const { numbers, results } = study
  const [sorting, setSorting] = useState<Sorting<VariantColumn>>({
    column: `in_sample ${study.measure}`,
    isDescending: true,
  })
  const variants = sortedVariants(study, sorting, SHOWN)
  const columns = MEASURES.flatMap((measure) =>
    PARTS.filter(([part]) => results[part] !== null).map(([part, suffix]) => ({
      measure,
      part,
      column: `${part} ${measure}` as const,
      label: `${studyMeasures[measure].label}${suffix}`,
    })),
  )
  return (
    <Card
      title="Top variants"
      hint={`${formatCount(variants.length)} of ${formatCount(results.cells.length)}, sorted by the column you press`}
    >
      <Table label="Top variants">
        <thead className={classes.tableHead}>
          <tr>
            <th>Variant</th>
            {numbers.map(({ path, label }, i) => (
              <SortHeader
                key={path}
                column={`number ${i}`}
                label={label}
                sorting={sorting}
                onSort={setSorting}
                isNumeric
              />
            ))}
            {columns.map(({ column, label }) => (
              <SortHeader key={column} column={column} label={label} sorting={sorting} onSort={setSorting} isNumeric />
            ))}
          </tr>
        </thead>
        <tbody>
          {variants.map(({ cell, values, inSample, holdOut }) => (
            <tr key={cell}>
              <td className={classes.use}>
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={`Use ${values.map(formatValue).join(' × ')}`}
                  onClick={() => onUse(cell)}
                >
                  Use
                </Button>{' '}
                {cell === results.best && <Tag tone="accent">Best</Tag>}{' '}
                {cell === results.present_cell && <Tag>Yours</Tag>}
              </td>
              {values.map((value, i) => (
                <td key={numbers[i]!.path} className={numeric}>
                  {formatValue(value)}
                </td>
              ))}
              {columns.map(({ column, measure, part }) => (
                <td key={column} className={numeric}>
                  {formatMeasure(measure, (part === 'in_sample' ? inSample : holdOut)?.[measure] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

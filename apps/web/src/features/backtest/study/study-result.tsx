import { Button } from '@mantine/core'
import { IconCheck, IconDownload, IconTrash } from '@tabler/icons-react'
import { type StudyMeasure, studyMeasureKeys, studyMeasures } from '@tradewright/core/rules/study'
import { useState } from 'react'
import { downloadText } from '../../../lib/download.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { HeatLegend, HeatMap } from '../../../ui/chart/heat-map.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { CheckList } from '../../../ui/form/check-list.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import {
  combinationAt,
  combinationValues,
  type CompletedStudy,
  formatMeasure,
  formatValue,
  heatPlaceOf,
  heatTable,
  type HeatView,
  type StudyPart,
  variantAt,
} from './study-cells.ts'
import { checksOf } from './study-checks.ts'
import { VariantTable } from './variant-table.tsx'
import classes from './study.module.css'
import { type CsvCell, csvText } from '@tradewright/core/csv'

interface StudyResultProps {
  study: CompletedStudy
  /** Puts the values of this combination into the rules. */
  onUse: (cell: number) => void
  onDelete: () => void
}

export function StudyResult({ study, onUse, onDelete }: StudyResultProps) {
  const { results, measure } = study
  const { best, neighbourhood, present, holding } = results
  const bestVariant = best === null ? undefined : variantAt(study, best)
  const shown = (value: number | null | undefined) => formatMeasure(measure, value ?? null)
  const [cell, setCell] = useState(best)
  return (
    <>
      <Card
        title={`${study.strategy_name}, ${formatCount(results.trials)} variants`}
        hint={
          <>
            {study.numbers.map(({ label }) => label).join(' × ')} ·{' '}
            {formatDateRange(results.actual_start, results.actual_end)}
          </>
        }
        actions={
          <>
            {results.synthetic && <SourceBadge synthetic />}
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => downloadText(`parameter-study-${study.id}.csv`, studyCsv(study), 'text/csv')}
            >
              CSV
            </Button>
            <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
              Delete
            </Button>
          </>
        }
      >
        <MetricsStrip>
          <Figure
            label="Best cell"
            note={bestVariant ? bestVariant.values.map(formatValue).join(' × ') : 'None could be run'}
          >
            {shown(bestVariant?.inSample[measure])}
          </Figure>
          <Figure
            label="Its neighbourhood"
            rank="second"
            note={
              neighbourhood
                ? `${shown(neighbourhood.least)} to ${shown(neighbourhood.most)} in ${neighbourhood.count} cells`
                : 'No adjacent cell could be run'
            }
          >
            {shown(neighbourhood?.median)}
          </Figure>
          <Figure
            label="Your numbers"
            rank="second"
            note={study.numbers.map((number) => formatValue(number.present)).join(' × ')}
          >
            {shown(present?.in_sample[measure])}
          </Figure>
          <Figure label="Median of all" rank="second" note={`${formatCount(results.trials)} trials`}>
            {shown(results.median)}
          </Figure>
          <Figure
            label="Above holding"
            rank="second"
            note={`Holding ${holdingWords(results.holding_tickers)} has ${shown(holding?.in_sample[measure])}`}
          >
            {results.above_holding === null
              ? 'n/a'
              : `${formatCount(results.above_holding)} of ${formatCount(results.trials)}`}
          </Figure>
        </MetricsStrip>
      </Card>
      {results.failed > 0 && (
        <Banner
          kind="info"
          text={`${formatCount(results.failed)} of ${formatCount(results.trials)} variants could not be run.`}
          detail={results.failure}
        />
      )}
      {results.notes.map((note) => (
        <Banner key={note} kind="info" text={note} />
      ))}
      <Card
        title="What it says"
        hint={`${studyMeasures[measure].label} before the hold-out; risk-free: ${results.risk_free}`}
      >
        <CheckList checks={checksOf(study)} />
      </Card>
      <HeatCard study={study} cell={cell} onCell={setCell} onUse={onUse} />
      <VariantTable study={study} onUse={onUse} />
    </>
  )
}

const MAX_NAMED = 3
const holdingWords = (tickers: readonly string[]): string =>
  tickers.length <= MAX_NAMED
    ? tickers.join(', ')
    : `${tickers.slice(0, MAX_NAMED).join(', ')} and ${tickers.length - MAX_NAMED} more`

interface HeatCardProps {
  study: CompletedStudy
  cell: number | null
  onCell: (cell: number) => void
  onUse: (cell: number) => void
}

function HeatCard({ study, cell, onCell, onUse }: HeatCardProps) {
  const { numbers, results } = study
  const [view, setView] = useState<HeatView>({
    row: 0,
    column: Math.min(1, numbers.length - 1),
    others: 'best',
    measure: study.measure,
    part: 'in_sample',
  })
  const edit = (change: Partial<HeatView>) => setView((before) => ({ ...before, ...change }))
  const table = heatTable(study, view)
  const sides = numbers.map(({ label }, i) => ({ value: String(i), label }))
  /** The other side gives way where both would be the same. */
  const setSide = (side: 'row' | 'column', chosen: number) => {
    const other = side === 'row' ? 'column' : 'row'
    edit({ [side]: chosen, ...(view[other] === chosen && { [other]: view[side] }) })
  }
  const selected = cell === null ? null : heatPlaceOf(study, view, cell)
  return (
    <Card title="Heat map" hint="Arrow keys move between cells, Enter selects one">
      <CardSection>
        <div className={classes.fields}>
          {numbers.length > 1 && (
            <>
              <SelectField
                label="Down"
                value={String(view.row)}
                options={sides}
                onChange={(chosen) => setSide('row', Number(chosen))}
              />
              <SelectField
                label="Across"
                value={String(view.column)}
                options={sides}
                onChange={(chosen) => setSide('column', Number(chosen))}
              />
            </>
          )}
          {numbers.length > 2 && (
            <SelectField
              label="Other numbers"
              value={view.others}
              options={[
                { value: 'best', label: 'As in the best variant' },
                { value: 'average', label: 'Averaged' },
              ]}
              onChange={(others) => edit({ others: others as HeatView['others'] })}
            />
          )}
          <SelectField
            label="Measure"
            value={view.measure}
            options={studyMeasureKeys.map((value) => ({ value, label: studyMeasures[value].label }))}
            onChange={(measure) => edit({ measure: measure as StudyMeasure })}
          />
          {results.hold_out && (
            <SelectField
              label="Period"
              value={view.part}
              options={[
                { value: 'in_sample', label: 'Before the hold-out' },
                { value: 'hold_out', label: 'Hold-out' },
              ]}
              onChange={(part) => edit({ part: part as StudyPart })}
            />
          )}
        </div>
      </CardSection>
      <CardSection>
        <div className={classes.map}>
          <HeatLegend least={formatMeasure(view.measure, table.least)} most={formatMeasure(view.measure, table.most)} />
          <HeatMap
            label={`${studyMeasures[view.measure].label} by ${numbers[view.row]!.label} and ${numbers[view.column]!.label}`}
            rowTitle={view.row === view.column ? 'All' : numbers[view.row]!.label}
            columnTitle={numbers[view.column]!.label}
            rows={table.rows}
            columns={table.columns}
            cells={table.cells}
            selected={selected}
            onSelect={({ row, column }) => onCell(combinationAt(study, view, row, column))}
          />
        </div>
      </CardSection>
      {cell !== null && <Selected study={study} cell={cell} onUse={() => onUse(cell)} />}
    </Card>
  )
}

/** The figures of the selected combination, before and in the hold-out. */
function Selected({ study, cell, onUse }: { study: CompletedStudy; cell: number; onUse: () => void }) {
  const variant = variantAt(study, cell)
  const values = combinationValues(study, cell)
  const isBest = cell === study.results.best
  return (
    <CardSection>
      <div className={classes.selected}>
        <div aria-live="polite">
          <p className={classes.selectedTitle}>
            {isBest ? 'Best variant: ' : 'Selected: '}
            {study.numbers.map(({ label }, i) => `${label} ${formatValue(values[i]!)}`).join(' · ')}
          </p>
          <p className={`${classes.selectedFigures} tabular`}>
            {variant
              ? studyMeasureKeys
                  .map((measure) => {
                    const before = formatMeasure(measure, variant.inSample[measure])
                    const after = variant.holdOut && formatMeasure(measure, variant.holdOut[measure])
                    return `${studyMeasures[measure].label} ${before}${after === null ? '' : `, hold-out ${after}`}`
                  })
                  .join(' · ')
              : 'This combination was not tried.'}
          </p>
        </div>
        <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={onUse}>
          Use these numbers
        </Button>
      </div>
    </CardSection>
  )
}

/** Every variant in a line: its numbers, then its figures before and in the hold-out. */
function studyCsv(study: CompletedStudy): string {
  const { in_sample: inSample, hold_out: holdOut, cells } = study.results
  const labels = studyMeasureKeys.map((measure) => studyMeasures[measure].label)
  const head = [
    ...study.numbers.map(({ label }) => label),
    ...labels,
    ...(holdOut ? labels.map((label) => `${label}, hold-out`) : []),
  ]
  const figures = [inSample, ...(holdOut ? [holdOut] : [])].flatMap((part) =>
    studyMeasureKeys.map((measure) => part[measure]),
  )
  const lines = cells.map((cell, i) => {
    const values: CsvCell[] = combinationValues(study, cell)
    return values.concat(figures.map((column) => column[i]))
  })
  return csvText([head, ...lines])
}

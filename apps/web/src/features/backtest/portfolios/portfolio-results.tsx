import { Button, VisuallyHidden } from '@mantine/core'
import type { BacktestComparison } from '@tradewright/contract/backtests'
import { type Metric, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { IconChartLine, IconDeviceFloppy, IconStar } from '@tabler/icons-react'
import { Fragment, lazy, Suspense, useMemo, useState } from 'react'
import {
  formatMoney,
  formatPercent,
  formatSignedPercent,
  formatNumber,
  formatRatio,
  formatWholeMoney,
} from '../../../lib/format.ts'
import { SplicedNote } from '../../../strategy-form/data/spliced-days.tsx'
import { lineStyleOf } from '../../../ui/chart/draw-chart.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { ChoiceField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { SaveModal } from '../kept/save-modal.tsx'
import { withoutPeriod } from '../kept/names.ts'
import { useComparison, useRecentRuns } from '../queries.ts'
import { numbered, splicedOf, watermarkOf } from '../results/figures/compared.ts'
import { metricText } from '../results/figures/metric-value.ts'
import results from '../results/results.module.css'
import { bestOf, type Noise, noiseOf, onlyBest, rowGroups } from './best-of-row.ts'
import { BASE, linesOf, type View, VIEWS } from './compared-lines.ts'
import { periodSentence } from './period-sentence.ts'
import classes from './portfolios.module.css'

const LineChart = lazy(() => import('../../../ui/chart/line-chart.tsx'))

const HEIGHT = 300

/** A portfolio of the last press: where its result is kept, or why it has none. */
export type PortfolioShown = { isBenchmark: boolean } & ({ id: number } | { title: string; failure: string })

interface PortfolioResultsProps {
  portfolios: readonly PortfolioShown[]
  isStale: boolean
  onOpen: (id: number) => void
}

/** Portfolios and their benchmark over the common period: one chart, one table. */
export function PortfolioResults({ portfolios, isStale, onOpen }: PortfolioResultsProps) {
  const ids = portfolios.flatMap((one) => ('id' in one ? [one.id] : []))
  const comparison = useComparison(ids.map((id) => ({ id })))
  // Not the portfolios of an earlier run.
  const data = comparison.isPlaceholderData ? undefined : comparison.data
  const isLoading = ids.length > 1 && !data && !comparison.isError
  return (
    <div className={results.panel} data-stale={isStale} inert={isStale}>
      <Card
        title="Portfolios side by side"
        hint={data && periodSentence(data)}
        actions={data?.compared.some(({ synthetic }) => synthetic) && <SourceBadge synthetic />}
      >
        {isLoading && <CardSkeleton rows={8} />}
        {comparison.isError && (
          <div className={classes.body}>
            <Banner kind="error" text="These portfolios cannot be compared" detail={comparison.error.message} />
          </div>
        )}
        {data && <Chart compared={data.compared.map(shortNamed)} />}
        {data ? (
          <FiguresTable portfolios={portfolios} comparison={data} onOpen={onOpen} />
        ) : (
          !isLoading && <WithoutFigures portfolios={portfolios} onOpen={onOpen} />
        )}
      </Card>
    </div>
  )
}

type Compared = BacktestComparison['compared'][number]

const shortNamed = (one: Compared): Compared => ({ ...one, name: nameOf(one) })

const nameOf = ({ name }: Compared): string => inWords(withoutPeriod(name))

/** `SPY?L=2` reads `SPY 2×`. */
const inWords = (text: string): string => text.replaceAll(/\?L=(-?[\d.]+)/g, ' $1×')

function Chart({ compared }: { compared: readonly Compared[] }) {
  const [view, setView] = useState<View>('Value')
  const ids = compared.map(({ id }) => id).join()
  const spliced = splicedOf(compared)
  const drawing = useMemo(
    () => ({
      lines: linesOf(compared, view),
      format: FORMATS[view],
      baseline: view === 'Value' ? BASE : 0,
      watermark: watermarkOf(compared),
      isLogScale: view === 'Value',
      shadedUntil: spliced?.until,
    }),
    // A result never changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [ids, view],
  )
  return (
    <div className={classes.body}>
      <div className={classes.views}>
        <ChoiceField label="Chart" hideLabel value={view} options={VIEWS} onChange={setView} />
      </div>
      <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
        <LineChart
          drawing={drawing}
          height={HEIGHT}
          summary={`${SUMMARIES[view]} of ${compared.map(({ name }) => name).join(', ')}; the table below has their figures.`}
        />
      </Suspense>
      <SplicedNote spliced={spliced} />
    </div>
  )
}

const FORMATS: Record<View, (value: number) => string> = {
  Value: formatWholeMoney,
  Drawdown: (value) => formatPercent(value),
  '12 months': (value) => formatSignedPercent(value),
}

const SUMMARIES: Record<View, string> = {
  Value: 'Growth of $10,000',
  Drawdown: 'Fall below the highest value so far',
  '12 months': 'Return of the twelve months before each day',
}

interface TableProps {
  portfolios: readonly PortfolioShown[]
  comparison: BacktestComparison
  onOpen: (id: number) => void
}

function FiguresTable({ portfolios, comparison, onOpen }: TableProps) {
  const { compared } = comparison
  const names = numbered(compared.map(nameOf))
  const positionOf = (id: number) => compared.findIndex((one) => one.id === id)
  const columns = portfolios.flatMap((one) => ('id' in one ? [positionOf(one.id)] : []))
  const values = compared.map(({ growth }) => (growth.at(-1) ?? Number.NaN) * BASE)
  const noise = noiseOf(comparison)
  return (
    <div className={classes.figures}>
      <Table label="Portfolios side by side">
        <thead>
          <tr>
            <th className={classes.rowHead} scope="col">
              Figure
            </th>
            {portfolios.map((portfolio) => {
              if (!('id' in portfolio)) return <FailedHead key={keyOf(portfolio)} title={portfolio.title} />
              const position = positionOf(portfolio.id)
              const one = compared[position]!
              return (
                <th key={keyOf(portfolio)} className={`${numeric} ${classes.column}`} scope="col">
                  <span className={classes.name}>
                    <i className={classes.stroke} style={strokeOf(position)} aria-hidden />
                    {names[position]}
                  </span>
                  <span className={classes.sub}>
                    {portfolio.isBenchmark ? 'Benchmark, bought and held' : describe(one, names[position]!)}
                  </span>
                  <Actions id={portfolio.id} name={names[position]!} onOpen={onOpen} />
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rowGroups.map(({ title, metrics }) => (
            <Fragment key={title}>
              <tr className={classes.group}>
                <td className={classes.rowHead}>{title}</td>
                {portfolios.map((portfolio) =>
                  'id' in portfolio ? (
                    <td key={keyOf(portfolio)} aria-hidden />
                  ) : (
                    title === 'Return' && (
                      <td key={keyOf(portfolio)} className={classes.failure} rowSpan={ROW_COUNT}>
                        {portfolio.failure}
                      </td>
                    )
                  ),
                )}
              </tr>
              {title === 'Return' && (
                <FigureRow
                  label={`Value of ${formatWholeMoney(BASE)}`}
                  texts={values.map(formatMoney)}
                  best={onlyBest(values, values.map(formatMoney))}
                  columns={columns}
                />
              )}
              {metrics.map((metric) => (
                <FigureRow
                  key={metric.key}
                  label={metric.label}
                  texts={compared.map((one) => metricText(metric, one.metrics))}
                  titles={compared.map((one) => reasonFor(metric, one))}
                  best={bestOf(metric, compared, noise)}
                  columns={columns}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </Table>
      <Foot noise={noise} />
    </div>
  )
}
/** The headings of groups, their metrics, and the value of the base. */
const ROW_COUNT = rowGroups.reduce((count, { metrics }) => count + metrics.length + 1, 1)

const reasonFor = (metric: Metric, { figure_notes }: Compared): string | undefined => {
  const reason = figure_notes[wireKeyOf(metric)]
  return reason && `n/a because ${reason}`
}

interface FigureRowProps {
  label: string
  /** By position among the compared, as the titles. */
  texts: readonly string[]
  titles?: readonly (string | undefined)[]
  best: number | null
  /** The positions in the order of the columns. */
  columns: readonly number[]
}

function FigureRow({ label, texts, titles, best, columns }: FigureRowProps) {
  return (
    <tr>
      <td className={classes.rowHead}>{label}</td>
      {columns.map((position) => (
        <td key={position} className={numeric} title={titles?.[position]} data-best={position === best}>
          {position === best && (
            <>
              <IconStar className={classes.star} size={13} aria-hidden />
              <VisuallyHidden>Best: </VisuallyHidden>
            </>
          )}
          {texts[position]}
        </td>
      ))}
    </tr>
  )
}

/** What the star says, and what it does not. */
function Foot({ noise }: { noise: Noise | null }) {
  return (
    <p className={classes.foot}>
      <IconStar className={classes.star} size={13} aria-hidden />
      <span>marks the best of a row in this period; it is not a forecast. {noise && sharpeSentence(noise)}</span>
    </p>
  )
}

function sharpeSentence({ years, band, isWithin }: Noise): string {
  const span = formatNumber(years, { decimals: 1, suffix: years === 1 ? ' year' : ' years' })
  const sentence = `Sharpe differences under ${formatRatio(band)} are within noise over ${span}`
  return isWithin ? `${sentence}, so no best is marked for return for risk.` : `${sentence}.`
}

const keyOf = (portfolio: PortfolioShown) => ('id' in portfolio ? portfolio.id : portfolio.title)

const FailedHead = ({ title }: { title: string }) => (
  <th className={classes.column} scope="col">
    <span className={classes.name}>{title}</span>
    <span className={classes.sub}>No result</span>
  </th>
)

/** What it holds, unless that is its name, and how it is rebalanced. */
function describe({ holdings, rebalance_frequency }: Compared, name: string): string {
  const rebalanced = rebalance_frequency === 'none' ? 'not rebalanced' : `rebalanced ${rebalance_frequency}`
  const held = inWords(holdings)
  const text = name === held ? rebalanced : `${held}, ${rebalanced}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function strokeOf(position: number) {
  const { colour, cssStyle } = lineStyleOf(position)
  return { borderTopColor: `var(--tw-${colour})`, borderTopStyle: cssStyle }
}

/** Opens the whole result, or saves it as it is. */
function Actions({ id, name, onOpen }: { id: number; name: string; onOpen: (id: number) => void }) {
  const run = useRecentRuns().data?.find((one) => one.id === id)
  const [isSaving, setSaving] = useState(false)
  const kept = run && { id, name: run.name, isSaved: run.saved, strategyId: run.strategy_id }
  return (
    <span className={classes.actions}>
      {kept && kept.isSaved && kept.strategyId !== null && <Tag tone="accent">Saved</Tag>}
      <Button variant="default" size="compact-xs" aria-label={`Open ${name}`} onClick={() => onOpen(id)}>
        Open
      </Button>
      {kept && !(kept.isSaved && kept.strategyId !== null) && (
        <IconButton icon={IconDeviceFloppy} label={`Save ${name}`} onClick={() => setSaving(true)} />
      )}
      {kept && (
        <SaveModal
          opened={isSaving}
          kept={kept}
          result={{ strategy_name: run.strategy_name, strategy_type: 'Asset Allocation' }}
          onKept={() => {}}
          onClose={() => setSaving(false)}
        />
      )}
    </span>
  )
}

/** Where fewer than two have a result, or they cannot be compared: each can still be opened. */
function WithoutFigures({ portfolios, onOpen }: Omit<TableProps, 'comparison'>) {
  const runs = useRecentRuns().data ?? []
  const failed = portfolios.filter((one) => 'failure' in one)
  const done = portfolios.flatMap((one) => ('id' in one ? [one.id] : []))
  return (
    <div className={classes.body}>
      {failed.map(({ title, failure }) => (
        <Banner key={title} kind="error" text={title} detail={failure} />
      ))}
      {done.length === 0 && (
        <EmptyState
          icon={IconChartLine}
          title="No portfolio has a result"
          text="Change the settings as the sentences above say, and run again."
        />
      )}
      {done.map((id) => (
        <div key={id}>
          <Button variant="default" onClick={() => onOpen(id)}>
            Open {runs.find((run) => run.id === id)?.name ?? `result ${id}`}
          </Button>
        </div>
      ))}
    </div>
  )
}

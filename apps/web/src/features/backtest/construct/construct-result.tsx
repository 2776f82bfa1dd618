import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ConstructedPortfolio, Construction } from '@tradewright/contract/construction'
import { constructionMethods, covarianceEstimators } from '@tradewright/core/construction-catalogue'
import { type Metric, metricOf, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { labelsOf } from '@tradewright/core/ticker'
import { Fragment, lazy, Suspense, useMemo, useState } from 'react'
import { formatCount, formatMoney, formatNumber, formatPercent, formatWholeMoney } from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { SplicedNote, splicedDays } from '../../../strategy-form/data/spliced-days.tsx'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { lineStyleOf } from '../../../ui/chart/draw-chart.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { ChoiceField, SelectField } from '../../../ui/form/fields.tsx'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { BASE, linesOf, type View, VIEWS } from '../portfolios/compared-lines.ts'
import { metricText } from '../results/figures/metric-value.ts'
import { toAllocation } from './construct-form.ts'
import { FrontierPlot, WeightsPlot } from './plots.tsx'
import classes from './construct.module.css'

const LineChart = lazy(() => import('../../../ui/chart/line-chart.tsx'))

export type CompletedConstruction = Construction & { results: NonNullable<Construction['results']> }

interface ConstructResultProps {
  construction: CompletedConstruction
  onUse: (rows: TickerRow[], label: string) => void
  onDelete: () => void
}

/** How each mix did on days that its weights did not know, then the weights, then what the estimates expect. */
export function ConstructResult({ construction, onUse, onDelete }: ConstructResultProps) {
  const { results } = construction
  const { portfolios } = results
  const [shown, setShown] = useState<string>(() => portfolios.find(({ id }) => id !== 'equal')?.id ?? 'equal')
  const chosen = portfolios.find(({ id }) => id === shown) ?? portfolios[0]!
  return (
    <>
      <Card
        title="Out of sample"
        hint={`${formatDateRange(results.test_start, results.test_end)} · weights found ${construction.rebalance} from the ${construction.window_months} months before`}
        actions={
          <>
            {results.synthetic && <SourceBadge synthetic />}
            <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
              Delete
            </Button>
          </>
        }
      >
        {results.notes.length > 0 && (
          <div className={classes.message}>
            <Banner kind="warning" text="Some prices are not as asked for." detail={results.notes.join(' ')} />
          </div>
        )}
        <Curves results={results} />
        <Figures results={results} onUse={onUse} />
      </Card>
      <Card
        title="Weights"
        hint={`At each rebalance, and now: by prices up to ${formatDate(results.test_end)}`}
        actions={
          <SelectField
            label="Portfolio"
            hideLabel
            value={chosen.id}
            options={portfolios.map(({ id, label }) => ({ value: id, label }))}
            onChange={setShown}
          />
        }
      >
        <CardSection>
          <WeightsPlot tickers={results.tickers} dates={results.rebalance_dates} portfolio={chosen} />
          <CurrentWeights tickers={results.tickers} portfolios={portfolios} />
        </CardSection>
      </Card>
      <Card
        title="Efficient frontier"
        hint={`By mean returns and risks of the window before ${formatDate(results.frontier.date)}`}
        actions={<Tag tone="danger">In sample</Tag>}
      >
        <CardSection>
          <FrontierPlot results={results} />
          <p className={classes.note}>
            The line is fitted to returns that are already known: no portfolio on it could have been chosen beforehand.
            What each method really earned is in the table above.
            {results.frontier.shrinkage > 0 &&
              ` ${covarianceEstimators.ledoit_wolf.label}: ${formatPercent(results.frontier.shrinkage)} of the way to equal variances without correlation.`}
          </p>
        </CardSection>
      </Card>
    </>
  )
}

type Results = CompletedConstruction['results']

const HEIGHT = 280

function Curves({ results }: { results: Results }) {
  const [view, setView] = useState<View>('Value')
  const spliced = useMemo(() => splicedDays(results.spliced_tickers, results.dates[0]), [results])
  const drawing = useMemo(
    () => ({
      lines: linesOf(
        results.portfolios.map(({ label, growth }) => ({ name: label, dates: results.dates, growth })),
        view,
      ),
      format: view === 'Value' ? formatWholeMoney : (value: number) => formatPercent(value),
      baseline: view === 'Value' ? BASE : 0,
      watermark: results.synthetic ? 'Synthetic prices' : null,
      isLogScale: view === 'Value',
      shadedUntil: spliced?.until,
    }),
    [results, view, spliced],
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
          summary={`${view} of ${results.portfolios.map(({ label }) => label).join(', ')}; the table below has their figures.`}
        />
      </Suspense>
      <SplicedNote spliced={spliced} />
      {!spliced && <EstimatesNote results={results} />}
    </div>
  )
}

/** Says which prices, seen only by the windows before the test, are those of fallbacks. */
function EstimatesNote({ results }: { results: Results }) {
  const before = splicedDays(results.spliced_tickers, results.first_price)
  if (!before) return null
  return <p className={classes.note}>Estimates before the test use fallback prices. {before.sentences.join('. ')}.</p>
}

/** Metrics of the catalogue, in the order of the columns. */
const COLUMNS = (['cagr', 'volatility', 'sharpe', 'maxDrawdown', 'conditionalValueAtRisk'] as const).map((key) =>
  metricOf(key),
)

function Figures({ results, onUse }: { results: Results; onUse: ConstructResultProps['onUse'] }) {
  return (
    <div className={classes.figures}>
      <Table label="Portfolios out of sample">
        <thead>
          <tr>
            <th>Portfolio</th>
            {COLUMNS.map(({ key, label }) => (
              <th key={key} className={numeric}>
                {label}
              </th>
            ))}
            <th className={numeric}>Turnover a year</th>
            <th className={numeric}>Costs</th>
          </tr>
        </thead>
        <tbody>
          {results.portfolios.map((portfolio, position) => (
            <Fragment key={portfolio.id}>
              <tr>
                <td className={classes.name}>
                  <i className={classes.stroke} style={strokeOf(position)} aria-hidden />
                  <b>{portfolio.label}</b>
                </td>
                {COLUMNS.map((metric) => (
                  <td key={metric.key} className={numeric} title={reasonOf(metric, portfolio)}>
                    {metricText(metric, portfolio.metrics)}
                  </td>
                ))}
                <td className={numeric}>{portfolio.turnover === null ? 'n/a' : formatPercent(portfolio.turnover)}</td>
                <td className={numeric}>{formatMoney(portfolio.fees)}</td>
              </tr>
              <tr>
                <td colSpan={COLUMNS.length + 3} className={classes.second}>
                  <div className={classes.remark}>
                    <span className={classes.below}>{remarkOf(portfolio)}</span>
                    {portfolio.id !== 'own' && (
                      <Button
                        variant="default"
                        size="compact-xs"
                        aria-label={`Open as allocation: ${portfolio.label}`}
                        onClick={() => onUse(toAllocation(results.tickers, portfolio), portfolio.label)}
                      >
                        Open as allocation
                      </Button>
                    )}
                  </div>
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </Table>
      <p className={classes.foot}>
        Chance: both curves are drawn again together in blocks of about a month, {formatCount(1000)} times, and the
        p-values are adjusted for the number of portfolios. Ratios are over {results.risk_free}. Costs are of{' '}
        {formatWholeMoney(results.start_value)}.
      </p>
    </div>
  )
}

/** What a row is, and whether its Sharpe ratio tells it from equal weights. */
function remarkOf({ id, chance, over_turnover }: ConstructedPortfolio): string {
  const method = constructionMethods.find((one) => one.id === id)
  if (id === 'equal') return method?.definition ?? ''
  const over =
    over_turnover > 0
      ? ` At ${formatNumber(over_turnover, { decimals: 0 })} rebalances the bounds needed more turnover than the limit.`
      : ''
  return (chance?.sentence ?? 'Without a Sharpe ratio it cannot be compared with equal weights.') + over
}

function reasonOf(metric: Metric, { figure_notes }: ConstructedPortfolio): string | undefined {
  const reason = figure_notes[wireKeyOf(metric)]
  return reason && `n/a because ${reason}`
}

function strokeOf(position: number) {
  const { colour, cssStyle } = lineStyleOf(position)
  return { borderTopColor: `var(--tw-${colour})`, borderTopStyle: cssStyle }
}

function CurrentWeights({
  tickers,
  portfolios,
}: {
  tickers: readonly string[]
  portfolios: readonly ConstructedPortfolio[]
}) {
  return (
    <Table label="Current weights">
      <thead>
        <tr>
          <th>Now</th>
          {labelsOf(tickers).map((label, column) => (
            <th key={tickers[column]} className={numeric} title={tickers[column]}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {portfolios.map(({ id, label, current }) => (
          <tr key={id}>
            <td>{label}</td>
            {current.map((weight, i) => (
              <td key={tickers[i]} className={numeric} data-none={weight < 0.00005}>
                {weight < 0.00005 ? '–' : formatPercent(weight)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

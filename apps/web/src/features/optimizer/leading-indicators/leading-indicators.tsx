import { Button } from '@mantine/core'
import { IconDownload, IconTimeline, IconZoomExclamation } from '@tabler/icons-react'
import {
  type CorrelationRow,
  MIN_CORRELATION,
  getCorrelations,
  listIndicatorTickers,
  ANALYSIS_PERIODS,
  LAGS,
  CORRELATION_LIMIT,
  DEFAULT_ANALYSIS_PERIOD,
} from '@tradewright/contract/leading-indicators'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Feature } from '@tradewright/contract/features'
import { csvText } from '@tradewright/core/csv'
import { downloadText } from '../../../lib/download.ts'
import { formatCount, formatNumber, formatRatio } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { findEntry } from '../../../strategy-form/catalogue.ts'
import { todayUtc } from '../../../strategy-form/dates.ts'
import { useFeatures } from '../../../strategy-form/queries.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { showToast } from '../../../ui/feedback/toasts/toasts.tsx'
import {
  type EditProps,
  assetsOf,
  type OptimizerForm,
  parseTickers,
  tickersText,
  isTickerParameter,
  withFeature,
} from '../form/form.ts'
import { sortedRows, STRONGEST_FIRST, CorrelationsTable, HeatMapCard } from './correlations.tsx'
import classes from './leading-indicators.module.css'
import { HOW } from './explanations.ts'
import { call } from '../../../lib/http.ts'
import { CallError } from '../../../lib/call-error.ts'
import { SelectField } from '../../../ui/form/fields.tsx'
import { SliderField } from '../../../ui/form/fields/bounded-number-field.tsx'

const ALL_LAGS = 'all'

interface Filters {
  /** Empty: none chosen yet. */
  ticker: string
  periodDays: string
  lagDays: string
  minCorrelation: number
}

export const NO_FILTERS: Filters = {
  ticker: '',
  periodDays: String(DEFAULT_ANALYSIS_PERIOD),
  lagDays: ALL_LAGS,
  minCorrelation: MIN_CORRELATION.default,
}

/** The lag is left out for all of them. */
export const queryOf = ({ periodDays, lagDays, minCorrelation }: Filters) => ({
  min_correlation: String(minCorrelation),
  period_days: periodDays,
  limit: String(CORRELATION_LIMIT),
  ...(lagDays === ALL_LAGS ? {} : { lag_days: lagDays }),
})

/** From an address; what is missing or unknown there keeps its default. */
function fromAddress(query: URLSearchParams): Filters {
  const oneOf = (name: string, known: readonly number[]) => known.map(String).find((one) => one === query.get(name))
  const min = Number(query.get('min') ?? Number.NaN)
  return {
    ticker: query.get('ticker') ?? NO_FILTERS.ticker,
    periodDays: oneOf('days', ANALYSIS_PERIODS) ?? NO_FILTERS.periodDays,
    lagDays: oneOf('lag', LAGS) ?? NO_FILTERS.lagDays,
    minCorrelation: min >= MIN_CORRELATION.min && min <= MIN_CORRELATION.max ? min : NO_FILTERS.minCorrelation,
  }
}

/** The rest of the address stays; defaults need no word. */
function toAddress(before: string, filters: Filters): URLSearchParams {
  const query = new URLSearchParams(before)
  for (const [name, field] of [
    ['ticker', 'ticker'],
    ['days', 'periodDays'],
    ['lag', 'lagDays'],
    ['min', 'minCorrelation'],
  ] as const) {
    if (filters[field] === NO_FILTERS[field]) query.delete(name)
    else query.set(name, String(filters[field]))
  }
  return query
}

export const csvName = (ticker: string, today: string): string => `leading_indicators_${ticker}_${today}.csv`

const COLUMNS = [
  'cross_ticker',
  'cross_metric',
  'lag_days',
  'correlation_value',
  'directional_accuracy',
  'sharpe_ratio',
  'p_value',
  'adjusted_p_value',
  'observations',
] as const satisfies (keyof CorrelationRow)[]

/** Machine values, in the order of the table. Synthetic data says so in a column of its own. */
export function csvOf(rows: readonly CorrelationRow[]): string {
  const hasSynthetic = rows.some(({ synthetic }) => synthetic)
  const header = [...COLUMNS, ...(hasSynthetic ? ['source'] : [])]
  const lines = rows.map((row) => [
    ...COLUMNS.map((column) => row[column] ?? ''),
    ...(hasSynthetic ? [row.synthetic ? 'Synthetic sample data' : ''] : []),
  ])
  return csvText([header, ...lines])
}

const INGESTION_HINT = "Make sure you've run the data ingestion scripts for this ticker."

interface LeadingIndicatorsProps extends EditProps {
  /** Nothing is asked for while another tab is in sight. */
  isShown: boolean
}

export function LeadingIndicators({ isShown, form, edit }: LeadingIndicatorsProps) {
  const [filters, change] = useFiltersInAddress()
  const tickers = useIndicatorTickers(isShown)
  const catalogue = useFeatures().data ?? []
  const add = (row: CorrelationRow) => {
    const feature = row.feature && findEntry(catalogue, row.feature.id)
    if (!row.feature || !feature) return
    edit(withPair(form, feature, row.feature.params))
    showToast({
      kind: 'success',
      text: `${row.feature.name} of ${row.cross_ticker} added`,
      detail: 'It is now among the feature types of the Optimizer form.',
    })
  }
  return (
    <div className={classes.tab}>
      <Card>
        <FilterRow filters={filters} tickers={tickers.data ?? {}} onChange={change} />
      </Card>
      {tickers.isError && (
        <Banner kind="error" text="The tickers could not be loaded." detail={tickers.error.message} />
      )}
      {filters.ticker === '' ? (
        <Card>
          <EmptyState
            icon={IconTimeline}
            title="Choose a ticker"
            text="See which other series moved first, by how many days, and how likely it is that this is chance."
          />
        </Card>
      ) : (
        <Correlations
          filters={filters}
          isShown={isShown}
          onAdd={add}
          onMinCorrelation={(minCorrelation) => change({ minCorrelation })}
        />
      )}
    </div>
  )
}

interface CorrelationsProps {
  filters: Filters
  isShown: boolean
  onAdd: (row: CorrelationRow) => void
  onMinCorrelation: (minCorrelation: number) => void
}

function Correlations({ filters, isShown, onAdd, onMinCorrelation }: CorrelationsProps) {
  const [sorting, setSorting] = useState(STRONGEST_FIRST)
  const { data, error, isPlaceholderData } = useCorrelations(filters, isShown)
  if (error) {
    return (
      <Banner
        kind="error"
        text={correlationsFailed(error)}
        detail={INGESTION_HINT}
        action={<Link to="/data-collector">Open the Data Collector</Link>}
      />
    )
  }
  if (!data) return <CardSkeleton rows={8} label="Loading correlations..." />
  if (data.correlations.length === 0) {
    return <NothingFound filters={filters} isShown={isShown} onAdd={onAdd} onMinCorrelation={onMinCorrelation} />
  }
  const download = () =>
    downloadText(
      csvName(data.ticker, todayUtc()),
      csvOf(sortedRows(data.correlations, sorting)),
      'text/csv;charset=utf-8',
    )
  return (
    <div className={classes.found} data-stale={isPlaceholderData} aria-busy={isPlaceholderData}>
      <Card
        title={
          <span className={classes.title}>
            Leading series {data.ticker} {data.synthetic && <SourceBadge synthetic />}
          </span>
        }
        hint={
          `${formatDateRange(data.period.start_date, data.period.end_date)} · ` +
          `${formatCount(data.correlations.length)} of ${formatCount(data.tested)} pairs tested · of these, about ` +
          `${formatNumber(data.expected_false_hits, { decimals: 0 })} would have p < ${formatRatio(0.05)} by chance alone: use the adjusted p`
        }
        actions={
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={download}>
            CSV
          </Button>
        }
      >
        <CorrelationsTable rows={data.correlations} sorting={sorting} onSort={setSorting} onAdd={onAdd} />
        <CorrelationMethods />
        {data.notes.map((note) => (
          <p key={note} className={classes.note}>
            {note}
          </p>
        ))}
      </Card>
      <HeatMapCard rows={data.correlations} />
    </div>
  )
}

/** At the default threshold there is often nothing: the strongest pairs below it are shown as what they are. */
function NothingFound({ filters, isShown, onAdd, onMinCorrelation }: CorrelationsProps) {
  const mayLower = filters.minCorrelation > MIN_CORRELATION.min
  return (
    <div className={classes.found}>
      <Card>
        <EmptyState
          icon={IconZoomExclamation}
          title="No correlations found with the current filters."
          text="Lower the minimum correlation or pick another analysis period."
          action={
            mayLower && (
              <Button variant="default" onClick={() => onMinCorrelation(MIN_CORRELATION.min)}>
                {`Show from ${thresholdText(MIN_CORRELATION.min)}`}
              </Button>
            )
          }
        />
      </Card>
      {mayLower && <BelowThreshold filters={filters} isShown={isShown} onAdd={onAdd} />}
    </div>
  )
}

const SHOWN_BELOW = 10

function BelowThreshold({ filters, isShown, onAdd }: Omit<CorrelationsProps, 'onMinCorrelation'>) {
  const [sorting, setSorting] = useState(STRONGEST_FIRST)
  const { data } = useCorrelations({ ...filters, minCorrelation: MIN_CORRELATION.min }, isShown)
  const rows = data?.correlations.slice(0, SHOWN_BELOW) ?? []
  if (!data || rows.length === 0) return null
  return (
    <Card
      title={
        <span className={classes.title}>
          {`Strongest below ${thresholdText(filters.minCorrelation)}`} {data.synthetic && <SourceBadge synthetic />}
        </span>
      }
      hint={`Too weak for the chosen minimum: most of ${formatCount(data.tested)} tested pairs look like this by chance`}
    >
      <CorrelationsTable rows={rows} sorting={sorting} onSort={setSorting} onAdd={onAdd} />
    </Card>
  )
}

const thresholdText = (value: number) => formatNumber(value, { decimals: 1 })

function CorrelationMethods() {
  return (
    <details className={classes.how}>
      <summary>How are these computed?</summary>
      {Object.values(HOW).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </details>
  )
}

/** So that a reload, a link and Back lead to the same table. */
function useFiltersInAddress() {
  const [query, setQuery] = useSearchParams()
  const filters = fromAddress(query)
  const change = (changed: Partial<Filters>) =>
    setQuery(
      toAddress(window.location.search, { ...fromAddress(new URLSearchParams(window.location.search)), ...changed }),
      {
        replace: changed.ticker === undefined,
        preventScrollReset: true,
      },
    )
  return [filters, change] as const
}

function useIndicatorTickers(isShown: boolean) {
  return useQuery({
    queryKey: ['indicator tickers'],
    queryFn: async ({ signal }) => (await call(listIndicatorTickers, { signal })).tickers,
    enabled: isShown,
  })
}

/** The former answer stays in sight, dimmed, until the new one is there. */
function useCorrelations(filters: Filters, isShown: boolean) {
  return useQuery({
    queryKey: ['correlations', filters],
    queryFn: ({ signal }) =>
      call(getCorrelations, { params: { ticker: filters.ticker }, query: queryOf(filters), signal }),
    enabled: isShown && filters.ticker !== '',
    placeholderData: keepPreviousData,
    // Every change of a filter asks again, also one that was shown a moment ago.
    staleTime: 0,
    retry: false,
  })
}

/** An answer without a sentence is told apart from no answer at all. */
export function correlationsFailed(error: unknown): string {
  if (!(error instanceof CallError) || error.isUnreachable) return 'Error fetching correlations'
  return error.serverMessage ?? 'Failed to fetch correlations'
}

/** The form with one feature more to try: its kind, its values and its tickers. */
export function withPair(
  form: OptimizerForm,
  feature: Feature,
  params: Readonly<Record<string, number | string>>,
): Pick<OptimizerForm, 'featureTypes' | 'relatedTickers'> {
  const tickers = Object.entries(params).flatMap(([name, value]) => (isTickerParameter(name) ? [String(value)] : []))
  const missing = tickers.filter((ticker) => !assetsOf(form).includes(ticker.toUpperCase()))
  return {
    featureTypes: withFeature(form.featureTypes, feature, params),
    relatedTickers: tickersText([...parseTickers(form.relatedTickers), ...missing]),
  }
}

interface FilterRowProps {
  filters: Filters
  /** By category. */
  tickers: Record<string, { ticker: string; name: string }[]>
  onChange: (change: Partial<Filters>) => void
}

function FilterRow({ filters, tickers, onChange }: FilterRowProps) {
  return (
    <div className={classes.filters}>
      <SelectField
        label="Ticker"
        value={filters.ticker}
        options={[
          { value: '', label: 'Choose a ticker...' },
          ...Object.entries(tickers).map(([group, items]) => ({
            group,
            items: items.map(({ ticker, name }) => ({ value: ticker, label: labelOf(ticker, name) })),
          })),
        ]}
        onChange={(ticker) => onChange({ ticker })}
      />
      <SelectField
        label="Analysis period"
        value={filters.periodDays}
        options={ANALYSIS_PERIODS.map((days) => ({ value: String(days), label: `${days} days` }))}
        onChange={(periodDays) => onChange({ periodDays })}
      />
      <SelectField
        label="Lag"
        term="lag"
        value={filters.lagDays}
        options={[
          { value: ALL_LAGS, label: 'All lags' },
          ...LAGS.map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` })),
        ]}
        onChange={(lagDays) => onChange({ lagDays })}
      />
      <SliderField
        label="Minimum correlation"
        {...MIN_CORRELATION}
        value={filters.minCorrelation}
        shown={formatNumber(filters.minCorrelation, { decimals: 1 })}
        onChange={(minCorrelation) => onChange({ minCorrelation })}
      />
    </div>
  )
}

const labelOf = (ticker: string, name: string) => (name && name !== ticker ? `${ticker} · ${name}` : ticker)

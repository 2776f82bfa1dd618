import { Button } from '@mantine/core'
import { IconDownload, IconTimeline, IconZoomExclamation } from '@tabler/icons-react'
import {
  type CorrelationRow,
  MIN_CORRELATION,
  getCorrelations,
  listIndicatorTickers,
} from '@tradewright/contract/leading-indicators'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
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
import { showToast } from '../../../ui/feedback/toasts/toast-store.ts'
import type { EditProps } from '../form/form.ts'
import { csvName, csvOf } from './correlation-csv.ts'
import { sortedRows, STRONGEST_FIRST } from './correlation-rows.ts'
import { correlationsFailed } from './correlations-failed.ts'
import { CorrelationsTable } from './correlations-table.tsx'
import { FilterRow } from './filter-row.tsx'
import { type Filters, fromAddress, queryOf, toAddress } from './filters.ts'
import { HeatMapCard } from './heat-map-card.tsx'
import classes from './leading-indicators.module.css'
import { withPair } from './with-pair.ts'
import { HOW } from './explanations.ts'
import { call } from '../../../lib/http.ts'

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

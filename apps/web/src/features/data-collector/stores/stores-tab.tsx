import type { DataStore, SeriesQuality } from '@tradewright/contract/data-stores'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconEraser, IconPencil, IconReportSearch, IconTrash, IconX } from '@tabler/icons-react'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { NotLoaded } from '../load-failure.tsx'
import { useDataStores, useClearStore, useDeleteStore, useStoreQuality } from '../queries.ts'
import { useDialog, type Tell, failed } from '../notice.tsx'
import classes from './stores-tab.module.css'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { TypedConfirmModal } from '../../../ui/layout/typed-confirm-modal.tsx'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { Fact, Facts, Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { IconButton, IconLink } from '../../../ui/form/buttons.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { formatCount, formatSignedPercent } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Pagination, numeric, Table } from '../../../ui/table/table.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import layout from '../layout.module.css'

export function StoresTab({ tell }: { tell: Tell }) {
  const stores = useDataStores()
  const clearing = useDialog<DataStore>()
  const deletion = useDialog<DataStore>()
  const [examined, setExamined] = useState<number | null>(null)
  const store = stores.data?.find(({ id }) => id === examined)
  return (
    <div className={classes.tab}>
      <p className={classes.note}>
        New stores are added in <Link to="/settings#data-stores">Settings</Link>.
      </p>
      {stores.isPending && (
        <Card>
          <CardSkeleton rows={4} />
        </Card>
      )}
      {stores.isError && !stores.data && (
        <Card>
          <NotLoaded onRetry={() => void stores.refetch()} />
        </Card>
      )}
      <div className={classes.cards}>
        {stores.data?.map((one) => (
          <StoreCard
            key={one.id}
            store={one}
            isExamined={one.id === examined}
            onExamine={() => setExamined(one.id === examined ? null : one.id)}
            onClear={() => clearing.open(one)}
            onDelete={() => deletion.open(one)}
          />
        ))}
      </div>
      {store && <QualityCard key={store.id} store={store} onClose={() => setExamined(null)} />}
      <ClearStore dialog={clearing} tell={tell} />
      <DeleteStore dialog={deletion} tell={tell} />
    </div>
  )
}

interface ClearStoreProps {
  dialog: ReturnType<typeof useDialog<DataStore>>
  tell: Tell
}

function ClearStore({ dialog, tell }: ClearStoreProps) {
  const clearing = useClearStore(tell)
  const { subject: store } = dialog
  return (
    <TypedConfirmModal
      opened={dialog.isOpen}
      title={`Clear all data of “${store?.name ?? ''}”?`}
      text="Every record in all three layers is removed; the store itself and your jobs remain. This cannot be undone."
      word="CLEAR"
      confirmLabel="Clear all data"
      busy={clearing.isPending}
      onCancel={dialog.close}
      onConfirm={() => store && clearing.mutate(store.id, { onSettled: dialog.close })}
    />
  )
}

interface DeleteStoreProps {
  dialog: ReturnType<typeof useDialog<DataStore>>
  tell: Tell
}

function DeleteStore({ dialog, tell }: DeleteStoreProps) {
  const deletion = useDeleteStore(tell)
  const { subject: store } = dialog
  const files = store?.store_type === 'local' ? 'Its files are removed as well.' : 'The data in it is kept.'
  return (
    <ConfirmModal
      opened={dialog.isOpen}
      title={`Delete data store “${store?.name ?? ''}”?`}
      text={`${files} This cannot be undone.`}
      confirmLabel="Delete data store"
      busy={deletion.isPending}
      onCancel={dialog.close}
      onConfirm={() => store && deletion.mutate(store.id, { onSettled: dialog.close })}
    />
  )
}

interface StoreCardProps {
  store: DataStore
  isExamined: boolean
  onExamine: () => void
  onClear: () => void
  onDelete: () => void
}

function StoreCard({ store, isExamined, onExamine, onClear, onDelete }: StoreCardProps) {
  const { name } = store
  return (
    <Card
      title={name}
      actions={
        <>
          {store.is_system && <Tag>System</Tag>}
          {store.is_default && <Tag tone="accent">Default</Tag>}
        </>
      }
    >
      <CardSection>
        <Facts>
          <Fact label="Type">{store.store_type}</Fact>
          <Fact label="Format">{store.default_format}</Fact>
          <Fact label="Partitions">{store.partition_strategy}</Fact>
          <Fact label="Compression">{store.compression}</Fact>
          <Fact label="Created">{formatDate(store.created_at)}</Fact>
        </Facts>
        {store.unverified_reason && (
          <p className={classes.unverified}>
            <IconAlertTriangle size={14} aria-hidden /> Not verified yet: {store.unverified_reason}
          </p>
        )}
      </CardSection>
      <div className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconReportSearch size={15} aria-hidden />}
          aria-expanded={isExamined}
          onClick={onExamine}
        >
          Data quality
        </Button>
        <span className={classes.actions}>
          {!store.is_system && (
            <IconLink icon={IconPencil} label={`Edit ${name} in Settings`} to="/settings#data-stores" />
          )}
          <IconButton icon={IconEraser} label={`Clear all data of ${name}`} onClick={onClear} />
          <IconButton
            icon={IconTrash}
            label={store.is_system ? 'The system store cannot be deleted' : `Delete ${name}`}
            disabled={store.is_system}
            onClick={onDelete}
          />
        </span>
      </div>
    </Card>
  )
}

const PAGE_SIZE = 25

/** Gaps, doubles, jumps and stale series of a store's gold layer. */
function QualityCard({ store, onClose }: { store: DataStore; onClose: () => void }) {
  const quality = useStoreQuality(store.id, 'gold')
  const [page, setPage] = useState(1)
  const series = worstFirst(quality.data ?? [])
  const summary = summaryOf(series)
  const failure = quality.isError ? failed('quality', quality.error) : null
  return (
    <Card
      title={`Data quality of ${store.name}`}
      hint="The gold layer against the calendar of each market"
      actions={<IconButton icon={IconX} label="Close the report" onClick={onClose} />}
    >
      {quality.isPending && <CardSkeleton rows={5} label="Checking..." />}
      {failure && (
        <div className={classes.inset}>
          <Banner
            kind="error"
            text={failure.text}
            detail={failure.detail}
            action={
              <Button variant="default" onClick={() => void quality.refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      )}
      {quality.data && series.length === 0 && (
        <EmptyState
          icon={IconReportSearch}
          title="Nothing to check"
          text="The store holds no series yet. Run a collection job or import a file under Collection Jobs, then check again."
        />
      )}
      {series.length > 0 && (
        <>
          <MetricsStrip>
            <Figure label="Series" rank="second">
              {formatCount(summary.series)}
            </Figure>
            <Figure label="With gaps" rank="second">
              {formatCount(summary.withGaps)}
            </Figure>
            <Figure label="Duplicates" rank="second">
              {formatCount(summary.withDoubles)}
            </Figure>
            <Figure label="Suspicious jumps" rank="second">
              {formatCount(summary.withJumps)}
            </Figure>
            <Figure label="Stale" rank="second">
              {formatCount(summary.stale)}
            </Figure>
          </MetricsStrip>
          <QualityTable series={series.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />
        </>
      )}
      <Pagination page={page} pageSize={PAGE_SIZE} total={series.length} onChange={setPage} label="Pages of series" />
    </Card>
  )
}

export const faultsOf = (series: SeriesQuality): number =>
  series.missing_rows +
  series.unexpected_rows +
  series.duplicates +
  series.contradictions +
  series.suspicious_jumps.length +
  (series.is_stale ? 1 : 0)

/** The series with most faults come first. */
export const worstFirst = (series: readonly SeriesQuality[]): SeriesQuality[] =>
  series.toSorted((a, b) => faultsOf(b) - faultsOf(a) || a.ticker.localeCompare(b.ticker))

interface QualitySummary {
  series: number
  withGaps: number
  withJumps: number
  withDoubles: number
  stale: number
}

export const summaryOf = (series: readonly SeriesQuality[]): QualitySummary => ({
  series: series.length,
  withGaps: series.filter(({ missing_rows }) => missing_rows > 0).length,
  withJumps: series.filter(({ suspicious_jumps }) => suspicious_jumps.length > 0).length,
  withDoubles: series.filter(({ duplicates, contradictions }) => duplicates + contradictions > 0).length,
  stale: series.filter(({ is_stale }) => is_stale).length,
})

function QualityTable({ series }: { series: readonly SeriesQuality[] }) {
  return (
    <div className={classes.quality}>
      <Table label="Data quality">
        <thead>
          <tr>
            <th>Series</th>
            <th className={numeric}>Rows</th>
            <th className={numeric}>Range</th>
            <th>Gaps</th>
            <th>Duplicates</th>
            <th>Suspicious jumps</th>
            <th>Newest row</th>
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <QualityRow key={`${one.ticker} ${one.data_granularity}`} series={one} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function QualityRow({ series }: { series: SeriesQuality }) {
  const { gaps, missing_rows, suspicious_jumps: jumps, unexpected_rows } = series
  const doubles = series.duplicates + series.contradictions
  return (
    <tr>
      <td>
        <b className={classes.ticker}>{series.ticker}</b> {series.data_granularity}
        {series.synthetic ? (
          <span className={classes.badge}>
            <SourceBadge synthetic />
          </span>
        ) : (
          <span className={layout.second}>{series.providers.join(', ')}</span>
        )}
      </td>
      <td className={numeric} data-label="Rows">
        {formatCount(series.rows)}
      </td>
      <td className={numeric} data-label="Range">
        {formatDateRange(series.first, series.last)}
      </td>
      <td data-label="Gaps">
        <Found
          count={missing_rows}
          words={`${formatCount(missing_rows)} rows missing`}
          items={gaps.map(({ start, end, rows }) => `${formatDateRange(start, end)}: ${formatCount(rows)}`)}
        />
        {unexpected_rows > 0 && (
          <span className={layout.second}>{formatCount(unexpected_rows)} outside the calendar</span>
        )}
      </td>
      <td data-label="Duplicates">
        <Found
          count={doubles}
          words={`${formatCount(series.duplicates)} equal, ${formatCount(series.contradictions)} contradicting`}
          items={[]}
        />
      </td>
      <td data-label="Suspicious jumps">
        <Found
          count={jumps.length}
          words={formatCount(jumps.length)}
          items={jumps.map(({ timestamp, change }) => `${formatDate(timestamp)}: ${formatSignedPercent(change)}`)}
        />
      </td>
      <td data-label="Newest row">
        {series.is_stale ? (
          <Fault>{formatCount(series.sessions_behind)} sessions behind</Fault>
        ) : (
          <span className={classes.fine}>Up to date</span>
        )}
      </td>
    </tr>
  )
}

const Fault = ({ children }: { children: ReactNode }) => <span className={classes.fault}>{children}</span>

/** The number, and on demand where they are. */
function Found({ count, words, items }: { count: number; words: string; items: readonly string[] }) {
  if (count === 0) return <span className={classes.fine}>None</span>
  if (items.length === 0) return <Fault>{words}</Fault>
  return (
    <details className={classes.found}>
      <summary>{words}</summary>
      <ul className="tabular">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </details>
  )
}

import { IconFilterOff, IconDatabaseSearch, IconBookmark, IconX } from '@tabler/icons-react'
import { useEffect, useReducer, type Dispatch, useState } from 'react'
import {
  BROWSE_PAGE_SIZE,
  type SavedQuery,
  type StarterTransform,
  type DataRecord,
} from '@tradewright/contract/collected-data'
import { Button } from '@mantine/core'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { failed, missingForTransform, NoticeBanner, type Tell, useNotice, useDialog } from '../notice.tsx'
import { useDataStores } from '../queries.ts'
import {
  useBrowse,
  useCountUse,
  useDeleteQuery,
  useSavedQueries,
  useSaveQuery,
  useApplyTransform,
  useStarterTransforms,
  browseReducer,
  type Filters,
  INITIAL,
  isOutdated,
  type BrowseAction,
  type BrowseState,
  type SortField,
  formatValue,
  recordTime,
} from './browse-state.ts'
import classes from './browse-tab.module.css'
import { FilterFields } from './filter-fields.tsx'
import { ResultsBar, TransformResult } from './results.tsx'
import { Pagination, numeric, Table, SortHeader } from '../../../ui/table/table.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import layout from '../layout.module.css'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { NotLoaded } from '../load-failure.tsx'
import transformCardsClasses from './transform.module.css'
import { formatExact, formatMarketMoment } from '../../../lib/format-time.ts'
import recordsTableClasses from './records-table.module.css'

const COLUMNS: readonly { field: SortField; label: string; isNumeric?: boolean }[] = [
  { field: 'ticker', label: 'Ticker' },
  { field: 'timestamp', label: 'Timestamp', isNumeric: true },
  { field: 'category', label: 'Category' },
  { field: 'type', label: 'Type' },
  { field: 'value', label: 'Value', isNumeric: true },
  { field: 'currency', label: 'Currency' },
  { field: 'provider', label: 'Provider' },
  { field: 'collected_at', label: 'Collected at', isNumeric: true },
]

interface RecordsTableProps {
  records: readonly DataRecord[]
  state: BrowseState
  /** Another page is on its way. */
  isDimmed: boolean
  act: Dispatch<BrowseAction>
}

function RecordsTable({ records, state, isDimmed, act }: RecordsTableProps) {
  return (
    <div className={recordsTableClasses.table} data-dimmed={isDimmed}>
      <Table label="Records">
        <thead>
          <tr>
            {COLUMNS.map(({ field, label, isNumeric }) => (
              <SortHeader
                key={field}
                column={field}
                label={label}
                isNumeric={isNumeric ?? false}
                sorting={{ column: state.sortBy, isDescending: state.sortOrder === 'desc' }}
                onSort={({ column }) => act({ do: 'sort', by: column })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <RecordRow key={keyOf(record)} record={record} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const keyOf = ({ ticker, timestamp, category, provider, granularity }: DataRecord): string =>
  [ticker, timestamp, category, provider, granularity].join(' ')

function RecordRow({ record }: { record: DataRecord }) {
  return (
    <tr>
      <td className={recordsTableClasses.ticker}>{record.ticker}</td>
      <td className={`${numeric} ${recordsTableClasses.time}`} title={formatExact(record.timestamp)}>
        {recordTime(record)}
      </td>
      <td className={recordsTableClasses.category}>
        {record.category} <span className={layout.hint}>{record.granularity}</span>
      </td>
      <td className={recordsTableClasses.type}>{record.type}</td>
      <td className={`${numeric} ${recordsTableClasses.value}`} title={String(record.value)}>
        {formatValue(record.value, record.category)}
      </td>
      <td className={recordsTableClasses.currency}>{record.currency}</td>
      <td className={recordsTableClasses.provider}>
        {record.provider}
        {record.synthetic && <span className={recordsTableClasses.synthetic}> synthetic</span>}
      </td>
      <td className={`${numeric} ${recordsTableClasses.collected}`} title={formatExact(record.collected_at)}>
        {formatMarketMoment(record.collected_at)}
      </td>
    </tr>
  )
}

const SHOWN_COLUMNS = 3

interface TransformCardsProps {
  /** The name of the one that is being applied. */
  running: string | null
  onApply: (name: string) => void
}

function TransformCards({ running, onApply }: TransformCardsProps) {
  const transforms = useStarterTransforms()
  if (transforms.isPending) return <CardSkeleton rows={6} />
  if (transforms.isError) return <NotLoaded onRetry={() => void transforms.refetch()} />
  return (
    <ul className={transformCardsClasses.cards}>
      {transforms.data.map((transform) => (
        <li key={transform.name}>
          <h3>{transform.name}</h3>
          <p className={layout.hint}>{transform.description}</p>
          <ComputedColumns transform={transform} />
          <div className={transformCardsClasses.cardFoot}>
            <span className={transformCardsClasses.needs}>
              Needs{' '}
              {transform.required_categories.map((category) => (
                <Tag key={category}>{category}</Tag>
              ))}
            </span>
            <Button
              variant="default"
              aria-label={`Apply ${transform.name}`}
              disabled={running !== null}
              onClick={() => onApply(transform.name)}
            >
              {running === transform.name ? 'Applying...' : 'Apply'}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function ComputedColumns({ transform: { computed_columns: columns } }: { transform: StarterTransform }) {
  const more = columns.length - SHOWN_COLUMNS
  return (
    <ul className={transformCardsClasses.columns}>
      {columns.slice(0, SHOWN_COLUMNS).map(({ name, description }) => (
        <li key={name}>
          <code>{name}</code> {description}
        </li>
      ))}
      {more > 0 && <li>+ {more} more</li>}
    </ul>
  )
}

export function BrowseTab({ tell }: { tell: Tell }) {
  const stores = useDataStores().data ?? []
  const [state, act] = useReducer(browseReducer, INITIAL)
  const found = useBrowse(state)
  const countUse = useCountUse()
  const saving = useDialog<true>()
  const transforming = useDialog<Filters>()
  const { error } = found
  useEffect(() => {
    if (error) tell(failed('browse', error))
  }, [error, tell])

  const transform = () => {
    const [first, ...others] = missingForTransform(state.filters)
    if (first === undefined) transforming.open(state.filters)
    else tell({ kind: 'error', text: first, ...(others.length > 0 ? { detail: others.join(' ') } : {}) })
  }
  return (
    <div className={classes.tab}>
      <Card>
        <SavedQueryChips
          tell={tell}
          onApply={(query) => {
            countUse.mutate(query.id)
            act({ do: 'apply query', query })
          }}
        />
        <FilterFields
          filters={state.filters}
          stores={stores}
          isBusy={found.isFetching}
          act={act}
          onSave={() => saving.open(true)}
          onTransform={transform}
        />
      </Card>
      {state.asked === null && (
        <Card>
          <EmptyState
            icon={IconDatabaseSearch}
            title="No data shown yet"
            text="Choose filters and press Browse Data. Without filters, everything in the layer is shown."
          />
        </Card>
      )}
      {state.asked !== null && found.isPending && (
        <Card>
          <CardSkeleton rows={8} />
        </Card>
      )}
      {state.asked !== null && found.data && (
        <Card>
          <ResultsBar state={state} found={found.data} isOutdated={isOutdated(state)} act={act} />
          {found.data.total === 0 ? (
            <EmptyState
              icon={IconFilterOff}
              title="No records found"
              text="Nothing in this store and layer matches. Remove a filter or the search words, or collect the series under Collection Jobs."
            />
          ) : (
            <RecordsTable records={found.data.records} state={state} isDimmed={found.isPlaceholderData} act={act} />
          )}
          <ResultsPages page={state.page} total={found.data.total} act={act} />
        </Card>
      )}
      <SaveQueryModal dialog={saving} filters={state.filters} tell={tell} />
      <TransformModal dialog={transforming} />
    </div>
  )
}

const NUMBERS = 5

interface ResultsPagesProps {
  page: number
  total: number
  act: Dispatch<BrowseAction>
}

function ResultsPages({ page, total, act }: ResultsPagesProps) {
  return (
    <Pagination
      page={page}
      pageSize={BROWSE_PAGE_SIZE}
      total={total}
      numbersAtMost={NUMBERS}
      onChange={(next) => act({ do: 'turn to', page: next })}
      label="Pages of records"
    />
  )
}

interface SavedQueryChipsProps {
  tell: Tell
  onApply: (query: SavedQuery) => void
}

/** The most used come first. Without any, nothing is in the way. */
function SavedQueryChips({ tell, onApply }: SavedQueryChipsProps) {
  const queries = useSavedQueries().data ?? []
  const removal = useDialog<SavedQuery>()
  const deletion = useDeleteQuery(tell)
  const { subject } = removal
  return (
    <>
      {queries.length > 0 && (
        <section className={classes.chips} aria-label="Saved queries">
          <IconBookmark size={15} aria-hidden />
          {queries.map((query) => (
            <span key={query.id} className={classes.chip}>
              <button type="button" title={query.description || undefined} onClick={() => onApply(query)}>
                {query.name}
              </button>
              <button type="button" aria-label={`Delete query ${query.name}`} onClick={() => removal.open(query)}>
                <IconX size={13} aria-hidden />
              </button>
            </span>
          ))}
        </section>
      )}
      <ConfirmModal
        opened={removal.isOpen}
        title={`Delete query “${subject?.name ?? ''}”?`}
        text="Only the saved filters are deleted, no data. A few seconds later this cannot be undone."
        confirmLabel="Delete query"
        busy={deletion.isPending}
        onCancel={removal.close}
        onConfirm={() => subject && deletion.mutate(subject, { onSettled: removal.close })}
      />
    </>
  )
}

interface SaveQueryModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  filters: Filters
  tell: Tell
}

function SaveQueryModal({ dialog, filters, tell }: SaveQueryModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Save Current Query" onClose={dialog.close}>
      <SaveForm key={dialog.times} filters={filters} tell={tell} onClose={dialog.close} />
    </ContentModal>
  )
}

function SaveForm({ filters, tell, onClose }: { filters: Filters; tell: Tell; onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const { notice, tell: tellHere, dismiss } = useNotice()
  const saving = useSaveQuery({ tell, onSaved: onClose, onFailed: tellHere })
  return (
    <form
      className={layout.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate({ name, description, filters })
      }}
    >
      <NoticeBanner notice={notice} onClose={dismiss} />
      <TextField label="Query name" required value={name} onChange={setName} />
      <TextField label="Description" hint="Optional" value={description} onChange={setDescription} />
      <p className={layout.hint}>{filterWords(filters)}</p>
      <div className={layout.foot}>
        <CancelButton />
        <Button type="submit" disabled={name.trim() === '' || saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** The filters to be saved, in one line. */
function filterWords({ tickers, categories, providers, startDate, endDate }: Filters): string {
  const parts = [tickers, categories, providers].filter((list) => list.length > 0).map((list) => list.join(', '))
  if (startDate) parts.push(`from ${startDate}`)
  if (endDate) parts.push(`to ${endDate}`)
  return parts.join(' · ')
}

interface TransformModalProps {
  dialog: ReturnType<typeof useDialog<Filters>>
}

/** First the starter transforms, then the table that one of them makes of the selection. */
function TransformModal({ dialog }: TransformModalProps) {
  const { notice, tell, dismiss } = useNotice()
  const transform = useApplyTransform(tell)
  const filters = dialog.subject
  const back = () => {
    transform.reset()
    dismiss()
  }
  const close = () => {
    dialog.close()
    back()
  }
  return (
    <ContentModal
      opened={dialog.isOpen}
      title="Transform & Analyze Data"
      badge={transform.data?.synthetic ? <SourceBadge synthetic /> : null}
      size={1080}
      onClose={close}
    >
      <div className={layout.form}>
        <NoticeBanner notice={notice} onClose={dismiss} />
        {transform.data ? (
          <TransformResult
            name={transform.variables?.transform ?? ''}
            categories={filters?.categories ?? []}
            result={transform.data}
            onBack={back}
          />
        ) : (
          <>
            <p className={layout.words}>
              {filters?.tickers.join(', ')} · {filters?.categories.join(', ')} · {filters?.layer}
            </p>
            <TransformCards
              running={transform.isPending ? transform.variables.transform : null}
              onApply={(name) => filters && transform.mutate({ filters, transform: name })}
            />
          </>
        )}
      </div>
    </ContentModal>
  )
}

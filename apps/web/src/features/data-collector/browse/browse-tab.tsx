import { IconFilterOff, IconDatabaseSearch } from '@tabler/icons-react'
import { useEffect, useReducer, type Dispatch } from 'react'
import { BROWSE_PAGE_SIZE } from '@tradewright/contract/collected-data'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { failed, missingForTransform } from '../messages.ts'
import { useDataStores } from '../queries.ts'
import { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { useBrowse, useCountUse } from './browse-queries.ts'
import { browseReducer, type Filters, INITIAL, isOutdated, type BrowseAction } from './browse-state.ts'
import classes from './browse-tab.module.css'
import { FilterFields } from './filter-fields.tsx'
import { RecordsTable } from './records-table.tsx'
import { ResultsBar } from './results-bar.tsx'
import { SaveQueryModal } from './save-query-modal.tsx'
import { SavedQueryChips } from './saved-query-chips.tsx'
import { TransformModal } from './transform-modal.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'

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

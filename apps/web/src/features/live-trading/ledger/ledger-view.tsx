import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { formatCount } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { detailsFailed } from '../messages.ts'
import { NO_FILTER, toggled } from './ledger-filter.ts'
import { LedgerTable } from './ledger-table.tsx'
import classes from './ledger.module.css'
import { type Ledger, useLedger } from './use-ledger.ts'

interface LedgerViewProps {
  deploymentId: number
  currency: string
  /** The search box and the count of what matches. */
  withSearch?: boolean
}

export function LedgerView({ deploymentId, currency, withSearch = false }: LedgerViewProps) {
  const ledger = useLedger(deploymentId)
  const { details, entries, isLoading } = ledger
  if (details.isError) return <Banner kind="error" text={detailsFailed(details.error)} />
  if (details.isPending && isLoading && ledger.types.length === 0) return <CardSkeleton rows={8} />
  return (
    <div className={classes.ledger}>
      {withSearch && <SearchRow ledger={ledger} />}
      <TypeToggles ledger={ledger} />
      {entries.length === 0 && !isLoading ? (
        <p className={classes.empty}>
          {ledger.isFiltered ? 'No entries match your filters.' : 'No ledger entries recorded yet.'}
        </p>
      ) : (
        <LedgerTable entries={entries} currency={currency} />
      )}
      <LedgerFoot ledger={ledger} />
    </div>
  )
}

function SearchRow({ ledger: { filter, change, range } }: { ledger: Ledger }) {
  return (
    <div className={classes.searchRow}>
      <TextField
        label="Search the ledger"
        hideLabel
        type="search"
        placeholder="Search notes and types..."
        leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
        value={filter.search}
        onChange={(search) => change({ ...filter, search })}
      />
      <span className={`${classes.count} tabular`}>
        {formatCount(range.total)} matching {range.total === 1 ? 'entry' : 'entries'}
      </span>
    </div>
  )
}

function TypeToggles({ ledger: { types, filter, change, isFiltered } }: { ledger: Ledger }) {
  return (
    <div className={classes.toggles}>
      {types.length === 0 && <p className={classes.count}>No ledger entry types available yet.</p>}
      <fieldset className={classes.types} aria-label="Entry types">
        {types.map((type) => {
          const isIncluded = !filter.excluded.includes(type)
          return (
            <button
              key={type}
              type="button"
              className={classes.type}
              aria-pressed={isIncluded}
              onClick={() => change(toggled(filter, type))}
            >
              {type}
              {!isIncluded && <span className={classes.excluded}>excluded</span>}
            </button>
          )
        })}
      </fieldset>
      <Button variant="default" disabled={!isFiltered} onClick={() => change(NO_FILTER)}>
        Reset Filters
      </Button>
    </div>
  )
}

function LedgerFoot({ ledger: { range, isLoading, setPage } }: { ledger: Ledger }) {
  const { from, to, total, page, pages } = range
  return (
    <nav className={`${classes.foot} tabular`} aria-label="Pages of the ledger">
      <span>
        Showing {formatCount(from)}-{formatCount(to)} of {formatCount(total)}
      </span>
      <span className={classes.paging}>
        <Button variant="default" disabled={isLoading || page <= 1} onClick={() => setPage(page - 1)}>
          Previous
        </Button>
        <span>
          Page {formatCount(page)} of {formatCount(pages)}
        </span>
        <Button variant="default" disabled={isLoading || page >= pages} onClick={() => setPage(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  )
}

import type { CollectionJob } from '@tradewright/contract/data-collector'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { useProviders } from '../queries.ts'
import type { Tell } from '../use-notice.ts'
import { JobRow } from './job-row.tsx'
import classes from './jobs-table.module.css'

interface JobsTableProps {
  jobs: readonly CollectionJob[]
  tell: Tell
  onEdit: (job: CollectionJob) => void
  onDelete: (job: CollectionJob) => void
}

export function JobsTable({ jobs, tell, onEdit, onDelete }: JobsTableProps) {
  const providers = useProviders().data ?? []
  return (
    <div className={classes.table}>
      <Table label="Collection jobs">
        <thead>
          <tr>
            <th>Name</th>
            <th>Provider</th>
            <th>Store</th>
            <th>Tickers</th>
            <th>Data/Schedule</th>
            <th>Status</th>
            <th className={numeric}>Records</th>
            <th className={numeric}>Actions</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow
              key={job.id}
              job={job}
              provider={providers.find(({ id }) => id === job.provider_id)}
              tell={tell}
              onEdit={() => onEdit(job)}
              onDelete={() => onDelete(job)}
            />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

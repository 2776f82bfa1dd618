import type { DryRun } from '@tradewright/contract/custom-providers'
import { formatCount, formatQuantity } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import classes from './providers-tab.module.css'

/** The API's records as they would be stored, and what is wrong with them. */
export function DryRunReport({ run }: { run: DryRun }) {
  const columns = [...new Set(run.sample.flatMap((row) => Object.keys(row)))]
  return (
    <section aria-label="Dry run" className={classes.report}>
      {run.works ? (
        <Banner kind="success" text={`It works: ${formatCount(run.row_count)} rows of the last month`} />
      ) : (
        <Banner kind="error" text="It does not work yet" detail={run.problems.join(' ')} />
      )}
      {run.sample.length > 0 && (
        <Table label="First rows">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} className={name === 'date' ? undefined : numeric}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {run.sample.map((row) => (
              <tr key={String(row['date'])}>
                {columns.map((name) => (
                  <td key={name} className={name === 'date' ? 'tabular' : numeric}>
                    {typeof row[name] === 'number' ? formatQuantity(row[name]) : row[name]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}

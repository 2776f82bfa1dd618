import { VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { GenerationEntry, OptimizationRun } from '@tradewright/contract/optimization-run'
import { Fragment, useState } from 'react'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { formatFitness } from '../form/fitness.ts'
import { IndividualsTable } from './individuals-table.tsx'

const COLUMNS = 7
const PAGE_SIZE = 25

/** Newest first; each row opens into the individuals of its generation. */
export function GenerationsCard({ run, measure }: { run: OptimizationRun; measure: string }) {
  const [open, setOpen] = useState<number | null>(null)
  const [page, setPage] = useState(1)
  const history = run.generation_history
  if (history.length === 0) return null
  const shown = history.toReversed().slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return (
    <Card title="Generation details" hint="Open a generation to see its individuals">
      <Table label="Generation details">
        <thead>
          <tr>
            <th>
              <VisuallyHidden>Individuals</VisuallyHidden>
            </th>
            <th className={numeric}>Generation</th>
            <th className={numeric}>Best fitness</th>
            <th className={numeric}>Average fitness</th>
            <th className={`${numeric} ${secondary}`}>Features of the best</th>
            <th className={`${numeric} ${secondary}`} title="Mean share of features in which two individuals differ">
              Diversity
            </th>
            <th className={`${numeric} ${secondary}`} title="Individuals that had not been tried before">
              New trials
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((entry) => (
            <Fragment key={entry.generation}>
              <GenerationRow
                entry={entry}
                measure={measure}
                isOpen={open === entry.generation}
                onToggle={() => setOpen(open === entry.generation ? null : entry.generation)}
              />
              {open === entry.generation && (
                <tr>
                  <td colSpan={COLUMNS}>
                    <IndividualsTable runId={run.id} entry={entry} measure={measure} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </Table>
      <Pagination
        page={page}
        pageSize={PAGE_SIZE}
        total={history.length}
        onChange={setPage}
        label="Pages of generations"
      />
    </Card>
  )
}

interface GenerationRowProps {
  entry: GenerationEntry
  measure: string
  isOpen: boolean
  onToggle: () => void
}

function GenerationRow({ entry, measure, isOpen, onToggle }: GenerationRowProps) {
  const verb = isOpen ? 'Hide' : 'Show'
  return (
    <tr>
      <td>
        <IconButton
          icon={isOpen ? IconChevronDown : IconChevronRight}
          label={`${verb} individuals of generation ${entry.generation}`}
          onClick={onToggle}
        />
      </td>
      <td className={numeric}>{entry.generation}</td>
      <td className={numeric}>{formatFitness(measure, entry.best_fitness)}</td>
      <td className={numeric}>{formatFitness(measure, entry.avg_fitness)}</td>
      <td className={`${numeric} ${secondary}`}>{formatCount(entry.best_features_count)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPercent(entry.diversity, 0)}</td>
      <td className={`${numeric} ${secondary}`}>{formatCount(entry.new_evaluations)}</td>
    </tr>
  )
}

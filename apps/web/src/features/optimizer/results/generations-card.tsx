import { VisuallyHidden, Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { GenerationEntry, OptimizationRun, IndividualDetails } from '@tradewright/contract/optimization-run'
import { Fragment, useState } from 'react'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { formatFitness, formatPerformance } from '../form/fitness.ts'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { useGeneration } from '../queries.ts'
import classes from './individuals-table.module.css'

interface IndividualsTableProps {
  runId: number
  entry: GenerationEntry
  measure: string
}

const FIRST = 10

/** The best of a generation first; the rest on demand. */
function IndividualsTable({ runId, entry, measure }: IndividualsTableProps) {
  const [isWhole, setWhole] = useState(false)
  const isPartial = entry.population_details.length < entry.population_size
  const whole = useGeneration(runId, entry.generation, isWhole && isPartial)
  const known = whole.data?.population_details ?? entry.population_details
  const shown = isWhole ? known : known.slice(0, FIRST)
  return (
    <div className={classes.individuals}>
      <Table label={`Individuals of generation ${entry.generation}`}>
        <thead>
          <tr>
            <th className={numeric}>Rank</th>
            <th className={numeric}>Fitness</th>
            <th>Target</th>
            <th className={numeric}>Accuracy</th>
            <th className={`${numeric} ${secondary}`}>Sharpe</th>
            <th className={`${numeric} ${secondary}`}>CAGR</th>
            <th className={secondary}>Features</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((individual) => (
            <IndividualRow key={individual.rank} individual={individual} measure={measure} />
          ))}
        </tbody>
      </Table>
      {shown.length < entry.population_size && (
        <Button variant="default" size="compact-sm" loading={isWhole && whole.isLoading} onClick={() => setWhole(true)}>
          Show all {formatCount(entry.population_size)}
        </Button>
      )}
    </div>
  )
}

function IndividualRow({ individual, measure }: { individual: IndividualDetails; measure: string }) {
  const { rank, fitness, target_label, target_asset, performance, features, is_seed } = individual
  const featuresText = features.map(({ label }) => label).join(', ')
  return (
    <tr>
      <td className={numeric}>{rank}</td>
      <td className={numeric}>{formatFitness(measure, fitness)}</td>
      <td className={classes.target}>
        {target_label || target_asset} {is_seed && <Tag tone="accent">Seeded</Tag>}
        <small className={classes.rest}>{featuresText}</small>
      </td>
      <td className={numeric}>{formatPerformance('accuracy', performance.accuracy)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPerformance('sharpe', performance.sharpe)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPerformance('cagr', performance.cagr)}</td>
      <td className={`${classes.features} ${secondary}`}>{featuresText}</td>
    </tr>
  )
}

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

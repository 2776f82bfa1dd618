import { Button } from '@mantine/core'
import type { GenerationEntry, IndividualDetails } from '@tradewright/contract/optimization-run'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { formatFitness, formatPerformance } from '../form/fitness.ts'
import { useGeneration } from '../queries.ts'
import classes from './individuals-table.module.css'

interface IndividualsTableProps {
  runId: number
  entry: GenerationEntry
  measure: string
}

const FIRST = 10

/** The best of a generation first; the rest on demand. */
export function IndividualsTable({ runId, entry, measure }: IndividualsTableProps) {
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

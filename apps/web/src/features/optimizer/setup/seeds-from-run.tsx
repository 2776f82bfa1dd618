import { Button } from '@mantine/core'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import classes from '../../../strategy-form/setup.module.css'
import { SelectField } from '../../../ui/form/fields.tsx'
import type { EditProps } from '../form/form.ts'
import { failedTo, type Message, told } from '../messages.ts'
import { runOptions } from '../queries.ts'
import { runLabel } from '../run-status.ts'
import { nothingToOffer, offeredSeeds } from '../seeds.ts'

interface SeedsFromRunProps extends EditProps {
  runs: readonly OptimizationRunItem[]
  tell: (message: Message | null) => void
}

/** Takes over those best features of an earlier run that fit the form as it is now. */
export function SeedsFromRun({ form, edit, runs, tell }: SeedsFromRunProps) {
  const queries = useQueryClient()
  const [runId, setRunId] = useState('')
  const [isLoading, setLoading] = useState(false)
  const completed = runs.filter(({ status }) => status === 'completed')

  const load = async () => {
    setLoading(true)
    tell(null)
    try {
      const best = (await queries.fetchQuery(runOptions(queries, runId))).results?.best_features ?? []
      const nothing = nothingToOffer(best, form)
      const { seeds, skipped } = offeredSeeds(best, form)
      if (nothing === null) edit({ seeds: [...form.seeds, ...seeds] })
      tell(told(nothing ?? summaryOf(seeds.length, skipped)))
    } catch (error) {
      tell(failedTo('load seeds', error))
    } finally {
      setLoading(false)
    }
  }

  return (
    <div className={classes.pickRow}>
      <SelectField
        label="Seeds from a run"
        hideLabel
        value={runId}
        disabled={completed.length === 0}
        options={[
          { value: '', label: completed.length === 0 ? 'No completed runs yet' : 'Choose a run...' },
          ...completed.map((run) => ({ value: String(run.id), label: runLabel(run) })),
        ]}
        onChange={setRunId}
      />
      <Button variant="default" disabled={runId === ''} loading={isLoading} onClick={() => void load()}>
        Load seeds
      </Button>
    </div>
  )
}

function summaryOf(added: number, skipped: number): string {
  const rest = skipped > 0 ? ` ${skipped} were skipped due to configuration differences.` : ''
  return `${added} seed ${added === 1 ? 'feature was' : 'features were'} added.${rest}`
}

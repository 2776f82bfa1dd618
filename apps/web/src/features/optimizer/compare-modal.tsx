import type { OptimizationRun, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SplicedMark } from '../../strategy-form/data/spliced-days.tsx'
import { CheckField } from '../../ui/form/fields.tsx'
import { ContentModal } from '../../ui/layout/content-modal.tsx'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import { numeric, Table } from '../../ui/table/table.tsx'
import classes from './compare-modal.module.css'
import { comparedRows, firstCompared } from './compared-rows.ts'
import { runOptions } from './queries.ts'
import { isInProgress, runLabel } from './run-status.ts'

interface CompareModalProps {
  opened: boolean
  runs: readonly OptimizationRunItem[]
  onClose: () => void
}

const AT_MOST = 4

/** Up to four runs side by side. */
export function CompareModal({ opened, runs, onClose }: CompareModalProps) {
  const ended = runs.filter((run) => !isInProgress(run))
  const [chosen, setChosen] = useState<readonly number[] | null>(null)
  const ids = (chosen ?? firstCompared(ended)).filter((id) => ended.some((run) => run.id === id))
  return (
    <ContentModal opened={opened} title="Compare runs" size={1080} onClose={onClose}>
      <fieldset className={classes.choice}>
        <legend>Up to {AT_MOST} runs</legend>
        {ended.map((run) => (
          <CheckField
            key={run.id}
            label={runLabel(run)}
            checked={ids.includes(run.id)}
            disabled={!ids.includes(run.id) && ids.length >= AT_MOST}
            onChange={(isIn) => setChosen(isIn ? [...ids, run.id] : ids.filter((id) => id !== run.id))}
          />
        ))}
      </fieldset>
      {opened && <Comparison ids={ids} />}
    </ContentModal>
  )
}

function Comparison({ ids }: { ids: readonly number[] }) {
  const queries = useQueryClient()
  const loaded = useQueries({ queries: ids.map((id) => runOptions(queries, String(id))) })
  const runs = loaded.map(({ data }) => data).filter((run): run is OptimizationRun => run !== undefined)
  if (ids.length === 0) return <p className={classes.hint}>Choose the runs to compare.</p>
  if (loaded.some(({ isError }) => isError)) return <p className={classes.hint}>Failed to load optimization run</p>
  if (runs.length < ids.length) return <p className={classes.hint}>Loading...</p>
  return (
    <div className={classes.side}>
      <Table label="Comparison of runs">
        <thead>
          <tr>
            <th className={classes.label}>Figure</th>
            {runs.map((run) => (
              <th key={run.id} className={numeric}>
                <span className={classes.run}>
                  #{run.id} {run.target_asset} {run.synthetic && <SourceBadge synthetic />}
                  {run.spliced_tickers && <SplicedMark spliced={run.spliced_tickers} />}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedRows(runs).map(({ label, cells }) => (
            <tr key={label}>
              <td className={classes.label}>{label}</td>
              {cells.map((cell, position) => (
                <td key={runs[position]?.id} className={`${numeric} ${classes.cell}`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

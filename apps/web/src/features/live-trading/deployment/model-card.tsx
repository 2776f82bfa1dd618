import { formatCount } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { formatEastern } from '../../../lib/format-eastern.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import type { Overview } from '../queries.ts'
import { DataNotes } from './data-notes.tsx'
import classes from './deployment-screen.module.css'

/** Which model decides, and on what it was trained. `isMarked`: the page is marked as synthetic already. */
export function ModelCard({ model, isMarked }: Pick<Overview, 'model'> & { isMarked: boolean }) {
  if (!model) return null
  return (
    <Card
      title="Model"
      {...(model.synthetic && !isMarked
        ? { actions: <SourceBadge synthetic tickers={model.synthetic_tickers} /> }
        : {})}
    >
      <div className={classes.body}>
        <Facts>
          <Fact label="Trained">{formatEastern(model.trained_at)}</Fact>
          <Fact label="Rows">{formatCount(model.rows)}</Fact>
          <Fact label="Training data">{formatDateRange(model.training_start, model.training_end)}</Fact>
          <Fact label="Data fingerprint">{model.data_fingerprint.slice(0, 16)}</Fact>
        </Facts>
        <DataNotes notes={model.data_notes} />
      </div>
    </Card>
  )
}

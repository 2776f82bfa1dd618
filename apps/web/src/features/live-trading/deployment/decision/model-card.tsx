import { formatCount } from '../../../../lib/format.ts'
import { formatDate, formatDateRange, formatMoment } from '../../../../lib/format-time.ts'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import { SourceBadge } from '../../../../ui/feedback/source-badge.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { Fact, Facts } from '../../../../ui/table/figure.tsx'
import { numeric, Table } from '../../../../ui/table/table.tsx'
import type { Overview } from '../../queries.ts'
import { DataNotes } from './data-notes.tsx'
import classes from '../deployment-screen.module.css'

/** Which model decides, and on what it was trained. */
export function ModelCard({ overview }: { overview: Overview }) {
  const { model, retraining } = overview
  if (!model && retraining.schedule === 'never') return null
  // The page is marked as synthetic already where the deployment is.
  const isMarked = overview.deployment.synthetic
  return (
    <Card
      title="Model"
      {...(model?.synthetic && !isMarked
        ? { actions: <SourceBadge synthetic tickers={model.synthetic_tickers} /> }
        : {})}
    >
      <div className={`${classes.body} ${classes.stack}`}>
        {retraining.problem && <Banner kind="warning" text={retraining.problem} />}
        {model ? <ModelFacts model={model} retraining={retraining} /> : <p>The first model is being trained.</p>}
        {model && <DataNotes notes={model.data_notes} />}
      </div>
      {overview.model_versions.length > 1 && <Versions versions={overview.model_versions} />}
    </Card>
  )
}

function ModelFacts({ model, retraining }: { model: NonNullable<Overview['model']> } & Pick<Overview, 'retraining'>) {
  return (
    <Facts>
      <Fact label="Version">{model.version}</Fact>
      <Fact label="Trained">{formatMoment(model.trained_at)}</Fact>
      <Fact label="Rows">{formatCount(model.rows)}</Fact>
      <Fact label="Training data">{formatDateRange(model.training_start, model.training_end)}</Fact>
      <Fact label="Data fingerprint">{model.data_fingerprint.slice(0, 16)}</Fact>
      <Fact label="Retraining">{retraining.schedule === 'walk_forward' ? 'Each walk-forward step' : 'Never'}</Fact>
      {retraining.schedule === 'walk_forward' && (
        <Fact label="Next training">
          {retraining.next_training_at ? formatMoment(retraining.next_training_at) : 'Now'}
        </Fact>
      )}
    </Facts>
  )
}

function Versions({ versions }: { versions: Overview['model_versions'] }) {
  return (
    <Table label="Model versions">
      <thead>
        <tr>
          <th>Version</th>
          <th>Training data</th>
          <th className={numeric}>Decides after</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((one) => (
          <tr key={one.version}>
            <td title={`Trained ${formatMoment(one.trained_at)}`}>{one.version}</td>
            <td>{formatDateRange(one.training_start, one.training_end)}</td>
            <td className={numeric}>{formatDate(one.decides_after)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

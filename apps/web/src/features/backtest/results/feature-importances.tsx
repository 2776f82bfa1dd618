import type { StudioResult } from '../answer/studio-result.ts'
import { formatPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { barWidth } from './bar-width.ts'
import classes from './bars.module.css'

export function FeatureImportances({ result }: { result: StudioResult }) {
  const importances = result.feature_importances ?? []
  if (importances.length === 0) return null
  const hint = result.walk_forward_enabled ? 'Share of total, averaged over windows' : 'Share of total'
  return (
    <Card title="Feature importances" hint={hint} folds>
      <ul className={classes.rows}>
        {importances.map(({ feature, importance }) => (
          <li key={feature}>
            <span className={classes.words}>
              <span>{feature}</span>
              <b className="tabular">{formatPercent(importance)}</b>
            </span>
            <span className={classes.track} aria-hidden>
              <span className={classes.bar} style={{ width: `${barWidth(importance)}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

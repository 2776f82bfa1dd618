import { Card } from '../../../../ui/layout/card.tsx'
import classes from '../results.module.css'

/** In place of what a result of an earlier version does not have. */
export function NoAnalysis({ title }: { title: string }) {
  return (
    <Card title={title}>
      <div className={classes.body}>
        <p className={classes.absent}>Not available: this result was saved before it was computed. Run it again.</p>
      </div>
    </Card>
  )
}

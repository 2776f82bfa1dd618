import type { Judged, LuckReport } from '@tradewright/contract/optimization-results'
import { formatPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { type CheckEntry, CheckList } from '../../../ui/form/check-list.tsx'
import { formatFitness } from '../form/fitness.ts'
import { HOW_LUCK } from './explanations.ts'
import classes from './results.module.css'

/** How much of the winner is luck, each figure with its verdict in words. */
export function OverfittingCard({ luck, metric }: { luck: LuckReport; metric: string }) {
  return (
    <Card
      title="How much of this is luck?"
      hint="Enough trials always find something: these four checks help to tell luck from skill"
    >
      <CheckList checks={checksOf(luck, metric)} />
      <details className={classes.how}>
        <summary>How are these computed?</summary>
        {Object.values(HOW_LUCK).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </details>
    </Card>
  )
}

function checksOf(luck: LuckReport, metric: string): CheckEntry[] {
  const percent = (value: number) => formatPercent(value)
  return [
    checkOf('Hold-out score', luck.hold_out, (value) => formatFitness(metric, value)),
    checkOf('Deflated Sharpe', luck.deflated_sharpe, percent),
    checkOf('Probability of overfitting', luck.overfitting_probability, percent),
    checkOf('Feature stability', luck.feature_stability, percent),
  ]
}

function checkOf(title: string, judged: Judged, format: (value: number) => string): CheckEntry {
  const { value, verdict, verdict_text, sentence } = judged
  const figure = value === null ? {} : { figure: format(value) }
  return { title, term: title, tone: verdict, word: verdict_text, sentence, ...figure }
}

import type { Judged, LuckReport } from '@tradewright/contract/optimization-results'
import { formatPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { type CheckEntry, CheckList } from '../../../ui/check-list.tsx'
import { formatFitness } from '../fitness.ts'
import classes from './results.module.css'

const HOW = [
  'Hold-out score: the last part of the data is kept from every generation; the winner is trained once more and scored there once. It is good only where the winner also earned more than always holding the buy allocation.',
  'Deflated Sharpe: how confident one can be that the winner beats always holding the buy allocation. The Sharpe ratio of its returns minus those of holding is compared with what the best of as many worthless trials would show, allowing for skew and fat tails (Bailey and López de Prado, 2014).',
  'Probability of overfitting: the test time is cut into parts; for every choice of half of them, the trial that is best there is checked in the other half. The figure is how often it ends up in the worse half of all trials (Bailey, Borwein, López de Prado and Zhu, 2015).',
  'Feature stability: in how many of all generations the best individual had each chosen feature, and in how many windows the model relied on it; the figure is the mean of both.',
]

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
        {HOW.map((sentence) => (
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
  return { title, tone: verdict, word: verdict_text, sentence, ...figure }
}

import type { StudioResult } from '../answer/studio-result.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { CheckList, type CheckTone } from '../../../ui/form/check-list.tsx'
import { type Check, checksOf } from './honesty.ts'
import classes from './results.module.css'

const TONES: Record<Check['verdict'], CheckTone> = { Passed: 'good', Caution: 'caution', Failed: 'bad' }

export function HonestyCard({ result }: { result: StudioResult }) {
  const checks = checksOf(result)
  return (
    <Card title="Honesty checks" hint="What this result does and does not show" actions={<Totals checks={checks} />}>
      <CheckList
        checks={checks.map(({ title, verdict, sentence }) => ({
          title,
          tone: TONES[verdict],
          word: verdict,
          sentence,
        }))}
      />
    </Card>
  )
}

function Totals({ checks }: { checks: readonly Check[] }) {
  const count = (verdict: Check['verdict']) => checks.filter((check) => check.verdict === verdict).length
  const parts = [
    `${count('Passed')} passed`,
    ...(count('Caution') ? [`${count('Caution')} caution`] : []),
    ...(count('Failed') ? [`${count('Failed')} failed`] : []),
  ]
  return <span className={`${classes.totals} tabular`}>{parts.join(' · ')}</span>
}

import { useState } from 'react'
import type { StudioResult } from '../../answer/studio-result.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { CheckList, type CheckTone } from '../../../../ui/form/check-list.tsx'
import { ShowAll } from '../../../../ui/table/table.tsx'
import { type Check, checksOf } from './honesty.ts'
import classes from '../results.module.css'

const TONES: Record<Check['verdict'], CheckTone> = { Passed: 'good', Caution: 'caution', Failed: 'bad' }

/** In a narrow panel those that passed are behind a button. */
export function HonestyCard({ result }: { result: StudioResult }) {
  const [isAll, setAll] = useState(false)
  const checks = checksOf(result)
  const hasPassed = checks.some(({ verdict }) => verdict === 'Passed')
  return (
    <Card title="Honesty checks" hint="What this result does and does not show" actions={<Totals checks={checks} />}>
      <div className={classes.checks} data-all={isAll || !hasPassed}>
        <CheckList
          checks={checks.map(({ title, verdict, sentence }) => ({
            title,
            tone: TONES[verdict],
            word: verdict,
            sentence,
          }))}
        />
        <div className={classes.allChecks}>
          <ShowAll total={checks.length} of="checks" onShow={() => setAll(true)} />
        </div>
      </div>
    </Card>
  )
}

function Totals({ checks }: { checks: readonly Check[] }) {
  const count = (verdict: Check['verdict']) => checks.filter((check) => check.verdict === verdict).length
  const parts = [
    `${count('Passed')} passed`,
    ...(count('Caution') ? [`${count('Caution')} ${count('Caution') === 1 ? 'caution' : 'cautions'}`] : []),
    ...(count('Failed') ? [`${count('Failed')} failed`] : []),
  ]
  return <span className={`${classes.totals} tabular`}>{parts.join(' · ')}</span>
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../../../ui/layout/card.tsx'
import { isDaily } from '../../deployment-words.ts'
import { CheckNow } from '../../deployments/check-now.tsx'
import type { Tell } from '../../messages.ts'
import type { Overview } from '../../queries.ts'
import { DecisionView } from './decision-view.tsx'
import classes from '../deployment-screen.module.css'
import { PreviewModal } from '../preview-modal.tsx'

export function DecisionCard({ overview, tell }: { overview: Overview; tell: Tell }) {
  const [isPreviewing, setPreviewing] = useState(false)
  const { last_decision, deployment } = overview
  return (
    <Card
      title="Last decision"
      actions={
        <>
          <CheckNow deployment={deployment} tell={tell} />
          <Button variant="default" onClick={() => setPreviewing(true)}>
            Preview next decision
          </Button>
        </>
      }
    >
      <div className={classes.body}>
        {last_decision ? (
          <DecisionView decision={last_decision} isDaily={isDaily(deployment)} />
        ) : (
          <p className={classes.note}>No decisions yet. The preview shows what it would do now.</p>
        )}
      </div>
      {isPreviewing && <PreviewModal deployment={deployment} onClose={() => setPreviewing(false)} />}
    </Card>
  )
}

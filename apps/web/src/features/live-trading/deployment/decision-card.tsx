import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../../ui/layout/card.tsx'
import { isDaily } from '../deployment-words.ts'
import type { Overview } from '../queries.ts'
import { DecisionView } from './decision-view.tsx'
import classes from './deployment-screen.module.css'
import { PreviewModal } from './preview-modal.tsx'

export function DecisionCard({ overview }: { overview: Overview }) {
  const [isPreviewing, setPreviewing] = useState(false)
  const { last_decision, deployment } = overview
  return (
    <Card
      title="Last decision"
      actions={
        <>
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

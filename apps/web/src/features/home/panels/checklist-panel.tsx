import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type Checklist, CHECKLIST_STEPS } from '@tradewright/contract/home'
import { Link } from 'react-router'
import { serverMessageOr } from '../../../lib/call-error.ts'
import classes from './checklist-panel.module.css'
import { Panel } from './panel.tsx'
import { useChecklist, useHideChecklist } from '../queries.ts'
import { nextStepOf, STEPS } from '../steps.ts'

/** Ticked off by what really happened; gone when it is hidden or all is done. */
export function ChecklistPanel({ layout }: { layout: 'column' | 'row' }) {
  const checklist = useChecklist()
  const { data } = checklist
  return (
    <Panel
      title="Get started"
      hint={data && `${data.done.length} of ${CHECKLIST_STEPS.length} done`}
      query={checklist}
      rows={5}
    >
      {(given) => <Steps checklist={given} layout={layout} />}
    </Panel>
  )
}

function Steps({ checklist: { done }, layout }: { checklist: Checklist; layout: 'column' | 'row' }) {
  const next = nextStepOf(done)
  const hide = useHideChecklist()
  return (
    <>
      <progress
        className={classes.bar}
        aria-label="First steps done"
        max={CHECKLIST_STEPS.length}
        value={done.length}
      />
      <ol className={classes.steps} data-layout={layout}>
        {CHECKLIST_STEPS.map((step, index) => {
          const isDone = done.includes(step)
          const { title, text, path } = STEPS[step]
          return (
            <li key={step} className={classes.step} data-done={isDone} data-next={step === next}>
              <span className={classes.mark} aria-hidden>
                {isDone ? <IconCheck size={14} stroke={2.4} /> : index + 1}
              </span>
              <div className={classes.words}>
                <p className={classes.title}>
                  {isDone ? title : <Link to={path}>{title}</Link>}
                  {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
                </p>
                <p className={classes.text}>{text}</p>
              </div>
            </li>
          )
        })}
      </ol>
      <div className={classes.foot}>
        <Button variant="subtle" size="compact-sm" disabled={hide.isPending} onClick={() => hide.mutate()}>
          Hide this list
        </Button>
        {hide.isError && (
          <p role="alert" className={classes.failed}>
            The list could not be hidden. {serverMessageOr(hide.error, 'Please try again.')}
          </p>
        )}
      </div>
    </>
  )
}

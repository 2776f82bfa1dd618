import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Card } from '../../ui/layout/card.tsx'
import { SkeletonLine } from '../../ui/feedback/skeletons.tsx'
import classes from './run-progress.module.css'

interface RunProgressProps {
  /** The step the server is at, `Window 3 of 9`; null before it has said anything. */
  note: string | null
  isCancelling: boolean
  onCancel: () => void
}

/** The step and the time so far, while a run goes on. */
export function RunProgress({ note, isCancelling, onCancel }: RunProgressProps) {
  const seconds = useSecondsSinceMount()
  return (
    <div className={classes.progress}>
      <span className={classes.spinner} aria-hidden />
      <b>{isCancelling ? 'Cancelling...' : 'Running...'}</b>
      <span className={`${classes.step} tabular`}>
        <output>{note ?? ''}</output>
        {note ? ' · ' : ''}
        {seconds} s
      </span>
      <Button variant="default" disabled={isCancelling} onClick={onCancel}>
        Cancel run
      </Button>
    </div>
  )
}

/** In the shape of the result to come. */
export function ResultSkeleton() {
  return (
    <Card>
      <div className={classes.head}>
        <SkeletonLine width={180} height={18} />
        <SkeletonLine width={280} />
      </div>
      <div className={classes.figures}>
        {[80, 70, 90, 60, 65].map((width) => (
          <div key={width}>
            <SkeletonLine width={50} />
            <SkeletonLine width={width} height={22} />
            <SkeletonLine width={70} />
          </div>
        ))}
      </div>
      <div className={classes.plot} />
    </Card>
  )
}

function useSecondsSinceMount(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const started = performance.now()
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - started) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}

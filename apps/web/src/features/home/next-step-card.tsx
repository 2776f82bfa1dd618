import { IconArrowRight } from '@tabler/icons-react'
import type { ChecklistStep } from '@tradewright/contract/home'
import { Button } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import { EXAMPLE } from '../../strategy-form/example.ts'
import classes from './next-step-card.module.css'
import { STEPS } from './steps.ts'

interface NextStepCardProps {
  nextStep: ChecklistStep
  /** Saving is done on a result. */
  latestResultId: number | undefined
}

/** One step, one button. */
export function NextStepCard({ nextStep: step, latestResultId }: NextStepCardProps) {
  const heading = useId()
  const { title, pitch, button, path } = STEPS[step]
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <p className={classes.label}>Next step</p>
      <h2 className={classes.title} id={heading}>
        {title}
      </h2>
      <p className={classes.pitch}>{pitch}</p>
      {step === 'backtest' && <ExampleFacts />}
      <div className={classes.foot}>
        <Button
          component={Link}
          to={step === 'strategy' && latestResultId ? `${path}?backtest_id=${latestResultId}` : path}
          size="md"
          rightSection={<IconArrowRight size={16} stroke={1.8} aria-hidden />}
        >
          {button}
        </Button>
        {step === 'backtest' && (
          <p className={classes.source}>
            Prices come from Yahoo Finance. Where it cannot be reached, synthetic sample data is used, and the result
            says so.
          </p>
        )}
      </div>
    </section>
  )
}

function ExampleFacts() {
  return (
    <dl className={classes.facts}>
      {EXAMPLE.allocations.map(({ ticker, allocation, words }) => (
        <div key={ticker}>
          <dt>{ticker}</dt>
          <dd className="tabular">{allocation}%</dd>
          <dd className={classes.words}>{words}</dd>
        </div>
      ))}
      <div>
        <dt>Period</dt>
        <dd>Since {EXAMPLE.since}</dd>
        <dd className={classes.words}>Beside {EXAMPLE.referenceTicker} alone</dd>
      </div>
    </dl>
  )
}

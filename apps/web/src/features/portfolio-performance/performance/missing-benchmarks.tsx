import { Button } from '@mantine/core'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { LinkButton } from '../../../ui/form/link-button.tsx'
import classes from './missing-benchmarks.module.css'

interface MissingBenchmarksProps {
  portfolio: Portfolio
  withSynthetic: boolean
  onSynthetic: (withSynthetic: boolean) => void
}

/** Beside an account at a broker, made-up prices are shown only to a user who asks for them. */
export function MissingBenchmarks({ portfolio, withSynthetic, onSynthetic }: MissingBenchmarksProps) {
  const { benchmarks_missing: missing, is_refreshing } = portfolio
  if (withSynthetic) {
    return (
      <div className={classes.missing}>
        <p>
          Benchmarks without real prices are synthetic here, because you asked for them. They say nothing about the
          market.
        </p>
        <Button variant="default" onClick={() => onSynthetic(false)}>
          Real prices only
        </Button>
      </div>
    )
  }
  if (missing.length === 0 || is_refreshing) return null
  const reasons = [...new Set(missing.map(({ reason }) => reason))].filter((reason) => reason !== '')
  return (
    <div className={classes.missing}>
      <p>
        <strong>No real prices of {missing.map(({ symbol }) => symbol).join(' and ')} on these dates.</strong>{' '}
        {reasons.join(' ')} Collect or import them in the Data Collector, and the comparison appears here.
      </p>
      <div className={classes.actions}>
        <LinkButton to="/data-collector">Data Collector</LinkButton>
        <Button variant="default" onClick={() => onSynthetic(true)}>
          Compare with synthetic prices
        </Button>
      </div>
    </div>
  )
}

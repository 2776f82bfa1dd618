import { Button } from '@mantine/core'
import { formatDate } from '../../../../lib/format-time.ts'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import classes from '../../../../strategy-form/data/data-actions.module.css'

interface EndedTickersProps {
  result: StudioResult
  isRunning: boolean
  /** Runs again with the part of the ended ticker in cash from its last price on. */
  onCash: () => void
  /** Leads to the form, where the other ticker is named. */
  onReplace: () => void
}

/** A result that stops where a ticker's prices end stops before what happened to it: the reader chooses. */
export function EndedTickers({ result, isRunning, onCash, onReplace }: EndedTickersProps) {
  const { ended_tickers: ended, settings, actual_end_date } = result
  if (ended.length === 0 || settings.ended_ticker !== 'stop') return null
  const named = ended.map(({ ticker, last_date }) => `${ticker} on ${formatDate(last_date)}`).join(', ')
  return (
    <Banner
      kind="warning"
      text={`The result stops on ${formatDate(actual_end_date)}: prices end early.`}
      detail={`Last price of ${named}. Continue with its share of the account in cash or in another ticker.`}
      action={
        <span className={classes.actions}>
          <Button variant="default" disabled={isRunning} onClick={onCash}>
            Hold cash
          </Button>
          <Button variant="default" disabled={isRunning} onClick={onReplace}>
            Another ticker…
          </Button>
        </span>
      }
    />
  )
}

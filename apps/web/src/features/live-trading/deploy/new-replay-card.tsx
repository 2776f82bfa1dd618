import { replayNewDeployment } from '@tradewright/contract/live-trading-watch'
import { call } from '../../../lib/http.ts'
import { MonthReplayCard } from '../replay/month-replay-card.tsx'
import type { DeployForm } from './draft.ts'
import { toCreateBody } from './form-request.ts'

/** The last month of the deployment that the form describes. Asked for by its button. */
export function NewReplayCard({ form, isReady }: { form: DeployForm; isReady: boolean }) {
  const body = { ...toCreateBody(form), deployment_name: '', auto_start: false }
  const isOffered = isReady && form.contributionMode === 'cash'
  return (
    <MonthReplayCard
      key={JSON.stringify(body)}
      question={JSON.stringify(body)}
      ask={(signal) => call(replayNewDeployment, { body, signal })}
      whyNot={
        isOffered ? null : 'Select a strategy and an account and enter an amount of cash to replay the last month.'
      }
    />
  )
}

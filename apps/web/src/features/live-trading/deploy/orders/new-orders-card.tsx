import { kindNamed } from '@tradewright/core/strategy-kinds'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { DeployableStrategy } from '@tradewright/contract/live-trading-fields'
import { previewNewDeployment } from '@tradewright/contract/live-trading-watch'
import { call } from '../../../../lib/http.ts'
import { Banner } from '../../../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../../../ui/feedback/skeletons.tsx'
import { SourceBadge } from '../../../../ui/feedback/source-badge.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { rulesText } from '../../deployment/decision/decision-words.ts'
import { PlannedOrders } from '../../deployment/decision/planned-orders.tsx'
import { sendingText } from '../../market-text.ts'
import { sentenceOf } from '../../messages.ts'
import classes from '../deploy-form.module.css'
import type { DeployForm } from '../draft.ts'
import { toCreateBody } from '../form-request.ts'

const TYPING_MS = 600

interface NewOrdersProps {
  form: DeployForm
  strategy: DeployableStrategy | undefined
  /** Everything that the preview needs is filled in. */
  isReady: boolean
}

/** The first orders of the deployment that the form describes, before it is created. */
export function NewOrdersCard({ form, strategy, isReady }: NewOrdersProps) {
  const why = whyNone(form, strategy, isReady)
  const preview = useNewPreview(form, why === null)
  const data = why === null ? preview.data : undefined
  return (
    <Card
      title="Orders it would send now"
      actions={data?.decision.synthetic && <SourceBadge synthetic tickers={data.decision.synthetic_tickers} />}
    >
      <div className={classes.fields}>
        {why !== null && <p className={classes.note}>{why}</p>}
        {why === null && preview.isError && (
          <Banner kind="warning" text="The orders cannot be shown right now." detail={sentenceOf(preview.error)} />
        )}
        {why === null && preview.isPending && <CardSkeleton rows={3} label="Deciding..." />}
        {data && (
          <>
            <PlannedOrders orders={data.orders} hideTitle />
            {data.decision.rules && <p className={classes.note}>{rulesText(data.decision.rules, true)}</p>}
            <p className={classes.note}>{sendingText(data, data.orders.length)}</p>
          </>
        )}
      </div>
    </Card>
  )
}

function whyNone(form: DeployForm, strategy: DeployableStrategy | undefined, isReady: boolean): string | null {
  if (kindNamed(strategy?.strategy_type).learns) {
    return 'Its model is trained when it is deployed. The page of the deployment then shows the orders that it would send.'
  }
  if (form.contributionMode === 'positions')
    return 'Shown for cash. The page of the deployment shows them for positions.'
  return isReady ? null : 'Shown as soon as the deployment is ready. The summary lists what is missing.'
}

function useNewPreview(form: DeployForm, isWanted: boolean) {
  const typed = JSON.stringify({ ...toCreateBody(form), deployment_name: '', auto_start: false })
  const [settled] = useDebouncedValue(typed, TYPING_MS)
  return useQuery({
    queryKey: ['deployment preview', settled],
    queryFn: ({ signal }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written a few lines above
      const body = JSON.parse(settled) as ReturnType<typeof toCreateBody>
      return call(previewNewDeployment, { body, signal })
    },
    enabled: isWanted && settled === typed,
    retry: false,
  })
}

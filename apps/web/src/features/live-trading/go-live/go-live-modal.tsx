import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Button, Modal } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { type FormEvent, useEffect, useState } from 'react'
import { formatMoney } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { NO_LANDMARK } from '../../../ui/layout/confirm-modal.tsx'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import { usePreview } from '../actions.ts'
import { moneyIn } from '../../../deployment-words/money-in.ts'
import { daysText, frequencyText, percentText } from '../deployment-words.ts'
import { PlannedOrders } from '../deployment/decision/planned-orders.tsx'
import { sentenceOf } from '../messages.ts'
import { useTradingAccounts } from '../queries.ts'
import classes from './go-live-modal.module.css'

/** `orders`: the end of a dry run, after which a running deployment sends its orders. */
type LiveStep = 'start' | 'resume' | 'orders'

const CONFIRM = {
  start: 'Start with live money',
  resume: 'Resume with live money',
  orders: 'Send orders with live money',
} as const satisfies Record<LiveStep, string>

interface GoLiveModalProps {
  deployment: Deployment
  step: LiveStep
  isBusy: boolean
  /** Called with the name as it was typed, which the server compares as well. */
  onConfirm: (confirmation: string) => void
  onClose: () => void
}

/** The step before real money trades: which account, how much, which orders first, and the name to type. */
export function GoLiveModal({ deployment, step, isBusy, onConfirm, onClose }: GoLiveModalProps) {
  const [typed, setTyped] = useState('')
  const { deployment_name: name, account_name } = deployment
  const isConfirmed = typed.trim() === name
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed && !isBusy) onConfirm(typed)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <span className={classes.titleRow}>
          <IconAlertTriangle size={20} stroke={1.8} aria-hidden />
          Trade “{name}” with live money?
        </span>
      }
      size={600}
      centered
      radius={12}
      withCloseButton={false}
      transitionProps={{ duration: 200 }}
      attributes={{ header: NO_LANDMARK }}
      classNames={{ title: classes.title ?? '', content: classes.content ?? '', header: classes.header ?? '' }}
    >
      <p className={classes.text}>
        Orders are sent to <strong>{account_name}</strong> without asking again, until you pause or stop the deployment.
        Losses are real.
      </p>
      <Stakes deployment={deployment} />
      <FirstOrders id={deployment.id} />
      <form className={classes.form} noValidate onSubmit={submit}>
        <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} />
        <div className={classes.buttons}>
          <Button variant="default" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" data-danger loading={isBusy} disabled={!isConfirmed}>
            {CONFIRM[step]}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function Stakes({ deployment }: { deployment: Deployment }) {
  const { data: accounts } = useTradingAccounts()
  const account = accounts?.find(({ id }) => id === deployment.alpaca_account_id)
  const { capital_policy, capital_policy_value, capital_currency, committed_capital } = deployment
  const isPercent = capital_policy === 'percent_of_account'
  return (
    <div className={classes.stakes}>
      <Facts>
        <Fact label="Account">{deployment.account_name}</Fact>
        <Fact label="Capital" note={isPercent && `${percentText(capital_policy_value)} of account`}>
          {moneyIn(capital_currency, committed_capital)}
        </Fact>
        <Fact label="Account left">{formatMoney(account?.available_cash ?? null)}</Fact>
        <Fact label="Loss limit">
          <LossLimit deployment={deployment} />
        </Fact>
        <Fact label="Schedule" note={daysText(deployment.trading_days)}>
          {frequencyText(deployment)}
        </Fact>
      </Facts>
    </div>
  )
}

function LossLimit({
  deployment: { max_daily_loss_pct: daily, max_drawdown_pct: drawdown, loss_action },
}: {
  deployment: Deployment
}) {
  const limits = [
    ...(daily === null ? [] : [`${percentText(daily)} a day`]),
    ...(drawdown === null ? [] : [`${percentText(drawdown)} drawdown`]),
  ]
  if (limits.length > 0) return `${limits.join(', ')}: ${loss_action === 'sell' ? 'sells everything' : 'pauses'}`
  return (
    <span className={classes.missing}>
      <IconAlertTriangle size={14} stroke={1.8} aria-hidden /> None
    </span>
  )
}

/** As the preview has them. Without it, the user decides knowing that they are not known. */
function FirstOrders({ id }: { id: number }) {
  const { mutate, data, error } = usePreview(id)
  useEffect(() => mutate(), [mutate])
  return (
    <section className={classes.orders} aria-label="First orders">
      {error && (
        <Banner
          kind="warning"
          text="The first orders cannot be previewed."
          detail={sentenceOf(error)}
          action={
            <Button variant="default" onClick={() => mutate()}>
              Try again
            </Button>
          }
        />
      )}
      {!data && !error && <CardSkeleton rows={3} label="Deciding..." />}
      {data && (
        <>
          <PlannedOrders orders={data.orders} title="First orders" />
          <p className={classes.hint}>{data.decision.reason} As if it ran now; prices move until it does.</p>
        </>
      )}
    </section>
  )
}

import { Button } from '@mantine/core'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useState } from 'react'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { SwitchField } from '../../../ui/form/fields/choice-fields.tsx'
import { useSetSafety } from '../actions.ts'
import { GoLiveModal } from '../go-live/go-live-modal.tsx'
import type { Tell } from '../messages.ts'
import classes from './deployment-screen.module.css'
import { limitProblem, limitValue } from './limits.ts'

const limitText = (limit: number | null) => (limit === null ? '' : String(limit))

/** Dry run is flipped at once, also while it runs; limits are saved together. */
export function SafetyCard({ deployment, tell }: { deployment: Deployment; tell: Tell }) {
  const [dailyLoss, setDailyLoss] = useState(() => limitText(deployment.max_daily_loss_pct))
  const [drawdown, setDrawdown] = useState(() => limitText(deployment.max_drawdown_pct))
  const [sells, setSells] = useState(deployment.loss_action === 'sell')
  const [isAsking, setAsking] = useState(false)
  const safety = useSetSafety(deployment.id, tell)
  const isDryRun = (safety.isPending ? safety.variables.dry_run : undefined) ?? deployment.dry_run
  const endsWithMoney = !deployment.paper_trading && deployment.status === 'running'
  const problems = { dailyLoss: limitProblem(dailyLoss), drawdown: limitProblem(drawdown) }
  const isChanged =
    limitValue(dailyLoss) !== deployment.max_daily_loss_pct ||
    limitValue(drawdown) !== deployment.max_drawdown_pct ||
    sells !== (deployment.loss_action === 'sell')
  return (
    <Card title="Safety" hint="Watched while the deployment runs or is paused. Off until set.">
      <form
        className={`${classes.body} ${classes.stack}`}
        aria-label="Loss limits"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (problems.dailyLoss || problems.drawdown) return
          safety.mutate({
            max_daily_loss_pct: limitValue(dailyLoss),
            max_drawdown_pct: limitValue(drawdown),
            loss_action: sells ? 'sell' : 'pause',
          })
        }}
      >
        <SwitchField
          label="Dry run"
          hint="Everything but the order"
          checked={isDryRun}
          disabled={safety.isPending}
          onChange={(dry_run) => (endsWithMoney && !dry_run ? setAsking(true) : safety.mutate({ dry_run }))}
        />
        <BoundedNumberField
          label="Maximum daily loss"
          term="maximum daily loss"
          hint="Of the value at the start of the session"
          unit="%"
          min={0}
          max={100}
          placeholder="No limit"
          error={problems.dailyLoss}
          value={dailyLoss}
          onChange={setDailyLoss}
        />
        <BoundedNumberField
          label="Maximum drawdown"
          term="maximum drawdown"
          hint="From its highest value, without contributions and withdrawals"
          unit="%"
          min={0}
          max={100}
          placeholder="No limit"
          error={problems.drawdown}
          value={drawdown}
          onChange={setDrawdown}
        />
        <SwitchField
          label="Sell when a limit is broken"
          hint={sells ? 'Stops, cancels open orders and sells everything' : 'Off: it pauses and keeps what it holds'}
          checked={sells}
          onChange={setSells}
        />
        <Button type="submit" variant="default" disabled={!isChanged || safety.isPending}>
          Save limits
        </Button>
      </form>
      {isAsking && (
        <GoLiveModal
          deployment={deployment}
          step="orders"
          isBusy={safety.isPending}
          onConfirm={(confirmation) =>
            safety.mutate({ dry_run: false, confirmation }, { onSettled: () => setAsking(false) })
          }
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

import { Button } from '@mantine/core'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { moneyIn } from '../../../deployment-words/money-in.ts'
import { percentText } from '../deployment-words.ts'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import { useWorkOutOfSight } from '../../../ui/form/unsaved-work.ts'
import type { Tell } from '../messages.ts'
import { useDeployableStrategies, useTradingAccounts } from '../queries.ts'
import classes from './deploy-form.module.css'
import { DeploymentOptionsSection } from './deployment-options-section.tsx'
import { chosenIn, draftOf, type EditDraft } from './draft.ts'
import { EmailSection } from './notifications/email-section.tsx'
import { blockers, rebalancingLine } from './form-rules.ts'
import { FormShell } from './form-shell.tsx'
import { OrderSection } from './orders/order-section.tsx'
import { StrategyOptionsSection } from './strategy/strategy-options-section.tsx'
import { StrategySelectionSection } from './strategy/strategy-selection-section.tsx'
import { StrategySummary } from './strategy/strategy-summary.tsx'
import { useUpdate } from './submission.ts'
import { scheduleLine, shortLines, stopLines } from './summary-lines.ts'
import { TickerMappingSection } from './tickers/ticker-mapping-section.tsx'
import { TradingAccountSection } from './trading-account-section.tsx'
import { TradingConfigurationSection } from './trading-configuration-section.tsx'
import { TradingScheduleSection } from './trading-schedule-section.tsx'
import { useMappingValidation } from './tickers/use-ticker-validation.ts'

interface EditTabProps {
  /** Unsaved input stays while another tab is in sight. */
  isShown: boolean
  deployment: Deployment
  tell: Tell
  onClose: () => void
}

export function EditTab({ isShown, deployment, tell, onClose }: EditTabProps) {
  const [draft, setDraft] = useState(() => draftOf(deployment))
  const edit: EditDraft = (change) => setDraft((before) => ({ ...before, ...change }))
  const work = useWorkOutOfSight()
  const accounts = useTradingAccounts()
  const strategies = useDeployableStrategies()
  const deployable = (strategies.data ?? []).filter(({ is_deployable }) => is_deployable)
  const chosen = chosenIn(draft, { accounts: accounts.data ?? [], strategies: deployable })
  const tickers = useMappingValidation(chosen.form)
  const update = useUpdate(deployment.id, { tell, onDone: onClose })
  if (!isShown) return null
  const missing = blockers(chosen.form, chosen.strategy, chosen.account)
  const section = { chosen, edit }
  return (
    <FormShell
      label="Edit Deployment"
      isBusy={update.isPending}
      work={work}
      onSubmit={() => update.mutate(chosen.form)}
    >
      <div className={classes.sections}>
        <Banner
          kind="info"
          text={`Editing ${deployment.deployment_name}`}
          detail="Only stopped or paused deployments can be edited."
        />
        <TradingAccountSection {...section} accounts={accounts.data ?? []} isLoading={accounts.isPending} />
        <StrategySelectionSection {...section} strategies={deployable} isLoading={strategies.isPending} />
        <StrategyOptionsSection {...section} capital={<CapitalSummary deployment={deployment} />} />
        <TickerMappingSection {...section} />
        <TradingConfigurationSection {...section} />
        <TradingScheduleSection {...section} />
        <OrderSection {...section} capital={deployment.committed_capital} />
        <EmailSection {...section} />
        <DeploymentOptionsSection {...section} />
      </div>
      <StrategySummary
        strategy={chosen.strategy}
        lines={[
          { label: 'Schedule', text: scheduleLine(chosen.form) },
          { label: 'Rebalancing', text: rebalancingLine(chosen.form, chosen.strategy) },
          ...shortLines(chosen.strategy, chosen.account),
          ...stopLines(chosen.strategy),
        ]}
        blockers={missing}
        tickers={tickers}
      >
        <CancelFormButton size="md" onCancel={onClose} />
        <Button type="submit" size="md" disabled={update.isPending || missing.length > 0}>
          {update.isPending ? 'Updating...' : 'Update Deployment'}
        </Button>
      </StrategySummary>
    </FormShell>
  )
}

/** Contributions and disallocation change it, an edit does not. */
function CapitalSummary({ deployment }: { deployment: Deployment }) {
  const { capital_policy, capital_policy_value, capital_currency, committed_capital } = deployment
  const isPercent = capital_policy === 'percent_of_account'
  return (
    <Facts>
      <Fact label="Capital policy">{isPercent ? 'Percent of account' : 'Fixed contribution'}</Fact>
      <Fact label={isPercent ? 'Configured allocation' : 'Original commitment'}>
        {isPercent ? percentText(capital_policy_value) : moneyIn(capital_currency, capital_policy_value)}
      </Fact>
      <Fact label="Committed capital">{moneyIn(capital_currency, committed_capital)}</Fact>
    </Facts>
  )
}

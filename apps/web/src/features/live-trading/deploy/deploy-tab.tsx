import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { LiveMoneyNote } from '../go-live/live-money-note.tsx'
import { LoadFailure } from '../load-failure.tsx'
import type { Tell } from '../messages.ts'
import { useAccountPositions, useDeployableStrategies, useTradingAccounts } from '../queries.ts'
import { CapitalFields } from './capital-fields.tsx'
import classes from './deploy-form.module.css'
import { DeploymentOptionsSection } from './deployment-options-section.tsx'
import { capitalOf, chosenIn, type EditDraft, newDraft } from './draft.ts'
import { EmailSection } from './email-section.tsx'
import { blockers } from './form-rules.ts'
import { FormShell } from './form-shell.tsx'
import { OrderSection } from './order-section.tsx'
import { StrategyOptionsSection } from './strategy-options-section.tsx'
import { StrategySelectionSection } from './strategy-selection-section.tsx'
import { StrategySummary } from './strategy-summary.tsx'
import { useCreate } from './submission.ts'
import { capitalLine, scheduleLine } from './summary-lines.ts'
import { TickerMappingSection } from './ticker-mapping-section.tsx'
import { TradingAccountSection } from './trading-account-section.tsx'
import { TradingConfigurationSection } from './trading-configuration-section.tsx'
import { TradingScheduleSection } from './trading-schedule-section.tsx'
import { useMappingValidation } from './use-ticker-validation.ts'

interface DeployTabProps {
  /** Unsaved input stays while another tab is in sight. */
  isShown: boolean
  /** From the address, where it names one. */
  askedStrategyId: string
  tell: Tell
  /** With the deployment that waits for its confirmation, where real money was to be started at once. */
  onCreated: (waiting?: Deployment) => void
}

export function DeployTab({ isShown, askedStrategyId, tell, onCreated }: DeployTabProps) {
  const [draft, setDraft] = useState(() => newDraft(askedStrategyId))
  const edit: EditDraft = (change) => setDraft((before) => ({ ...before, ...change }))
  const accounts = useTradingAccounts()
  const strategies = useDeployableStrategies()
  const chosen = chosenIn(draft, { accounts: accounts.data ?? [], strategies: strategies.data ?? [] })
  const { form, strategy } = chosen
  const tickers = useMappingValidation(form)
  const positionsQuery = useAccountPositions(form.accountId, form.contributionMode === 'positions')
  const positions = positionsQuery.data ?? []
  const create = useCreate({
    tell,
    onDone: (waiting) => {
      setDraft(newDraft())
      onCreated(waiting)
    },
  })

  if (!isShown) return null
  if (accounts.isError || strategies.isError) {
    return <LoadFailure onRetry={() => void Promise.all([accounts.refetch(), strategies.refetch()])} />
  }
  const missing = blockers(form, strategy, chosen.account)
  const section = { chosen, edit }
  return (
    <FormShell
      label="Deploy New Strategy"
      isBusy={create.isPending}
      onSubmit={() => create.mutate({ chosen, positions })}
    >
      <div className={classes.sections}>
        <TradingAccountSection {...section} accounts={accounts.data ?? []} isLoading={accounts.isPending} />
        <StrategySelectionSection {...section} strategies={strategies.data ?? []} isLoading={strategies.isPending} />
        <StrategyOptionsSection
          {...section}
          capital={<CapitalFields {...section} positions={positions} isLoadingPositions={positionsQuery.isFetching} />}
        />
        <TickerMappingSection {...section} />
        <TradingConfigurationSection {...section} />
        <TradingScheduleSection {...section} />
        <OrderSection {...section} capital={capitalOf(form, chosen.account, positions)} />
        <EmailSection {...section} />
        <DeploymentOptionsSection {...section} withStart />
      </div>
      <StrategySummary
        strategy={strategy}
        lines={[
          { label: 'Capital', text: capitalLine(form, positions) },
          { label: 'Schedule', text: scheduleLine(form) },
        ]}
        blockers={missing}
        tickers={tickers}
      >
        <LiveMoneyNote account={chosen.account} isStarting={form.autoStart} />
        <Button
          type="submit"
          size="md"
          disabled={create.isPending || missing.length > 0}
          {...(chosen.account?.paper_trading === false && { 'data-danger': true })}
        >
          {create.isPending ? 'Deploying...' : 'Deploy Strategy'}
        </Button>
      </StrategySummary>
    </FormShell>
  )
}

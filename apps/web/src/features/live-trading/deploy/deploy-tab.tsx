import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useKeptForm } from '../../../app/use-kept-form.ts'
import { Card } from '../../../ui/layout/card.tsx'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { LiveMoneyNote } from '../go-live/live-money-note.tsx'
import { LoadFailure } from '../load-failure.tsx'
import type { Tell } from '../messages.ts'
import { useAccountPositions, useDeployableStrategies, useTradingAccounts } from '../queries.ts'
import { AmountField, CapitalFields } from './orders/capital-fields.tsx'
import classes from './deploy-form.module.css'
import { DeploymentOptionsSection, StartField } from './deployment-options-section.tsx'
import { capitalOf, chosenIn, type EditDraft, isDaily, newDraft, type DeployForm } from './draft.ts'
import { EmailSection } from './notifications/email-section.tsx'
import { blockers, capitalProblem, hiddenProblems, hoursProblem, rebalancingLine } from './form-rules.ts'
import { FormShell } from './form-shell.tsx'
import { checkedDraft, draftFor } from './kept-draft.ts'
import { NewOrdersCard } from './orders/new-orders-card.tsx'
import { OrderSection } from './orders/order-section.tsx'
import { StrategyOptionsSection } from './strategy/strategy-options-section.tsx'
import { StrategyField } from './strategy/strategy-selection-section.tsx'
import { StrategySummary } from './strategy/strategy-summary.tsx'
import { useCreate } from './submission.ts'
import { capitalLine, scheduleLine, shortLines, stopLines } from './summary-lines.ts'
import { TickerMappingSection } from './tickers/ticker-mapping-section.tsx'
import { AccountField, CashUnknown, TradingAccountFigures } from './trading-account-section.tsx'
import { TradingConfigurationSection } from './trading-configuration-section.tsx'
import { TradingScheduleSection } from './trading-schedule-section.tsx'
import { useMappingValidation } from './tickers/use-ticker-validation.ts'
import { replayNewDeployment } from '@tradewright/contract/live-trading-watch'
import { call } from '../../../lib/http.ts'
import { MonthReplayCard } from '../replay/month-replay-card.tsx'
import { toCreateBody } from './form-request.ts'

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
  const {
    form: draft,
    change,
    isKept,
    startOver,
  } = useKeptForm({
    name: 'deployment',
    // The address asks for a strategy: a draft of another one is not about it.
    checked: (kept) => draftFor(askedStrategyId, checkedDraft(kept)),
    fresh: () => newDraft(askedStrategyId),
    isKeptAtOnce: askedStrategyId !== '',
  })
  const edit: EditDraft = (part) => change((before) => ({ ...before, ...part }))
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
      startOver()
      onCreated(waiting)
    },
  })

  const problems = [
    ...blockers(form, strategy, chosen.account),
    ...[hoursProblem(form, isDaily(strategy))].filter((problem) => problem !== null),
  ]
  // Never closed by itself: the field that was wrong is still being typed in.
  const [isMoreOpen, setMoreOpen] = useState(false)
  const hasHiddenProblem = strategy && (tickers.hasProblem || hiddenProblems(problems, strategy).length > 0)
  if (hasHiddenProblem && !isMoreOpen) setMoreOpen(true)

  if (!isShown) return null
  if (accounts.isError || strategies.isError) {
    return <LoadFailure onRetry={() => void Promise.all([accounts.refetch(), strategies.refetch()])} />
  }
  const section = { chosen, edit }
  const moneyProblem = chosen.account && strategy ? capitalProblem(form, chosen.account, positions) : null
  const isPreviewable = problems.length === 0 && chosen.account !== undefined && moneyProblem === null
  return (
    <FormShell
      label="Deploy New Strategy"
      isBusy={create.isPending}
      onSubmit={() => create.mutate({ chosen, positions })}
    >
      <div className={classes.sections}>
        <Card
          title="Strategy Selection"
          hint="Strategy, account, amount and start. Everything else has a default"
          {...(isKept && {
            actions: (
              <Button variant="subtle" color="gray" size="compact-xs" disabled={create.isPending} onClick={startOver}>
                Start over
              </Button>
            ),
          })}
        >
          <div className={classes.fields}>
            <StrategyField {...section} strategies={strategies.data ?? []} isLoading={strategies.isPending} />
            <AccountField {...section} accounts={accounts.data ?? []} isLoading={accounts.isPending} />
            <CashUnknown account={chosen.account} />
            <AmountField {...section} positions={positions} />
            <StartField {...section} />
          </div>
        </Card>
        <MoreSettings isOpen={isMoreOpen} onToggle={setMoreOpen}>
          <TradingAccountFigures account={chosen.account} />
          <StrategyOptionsSection
            {...section}
            capital={
              <CapitalFields {...section} positions={positions} isLoadingPositions={positionsQuery.isFetching} />
            }
          />
          <TickerMappingSection {...section} />
          <TradingConfigurationSection {...section} />
          <TradingScheduleSection {...section} />
          <OrderSection {...section} isNew capital={capitalOf(form, chosen.account, positions)} />
          <EmailSection {...section} />
          <DeploymentOptionsSection {...section} />
        </MoreSettings>
      </div>
      <div className={classes.side}>
        <StrategySummary
          strategy={strategy}
          lines={[
            { label: 'Capital', text: capitalLine(form, positions) },
            { label: 'Schedule', text: scheduleLine(form) },
            { label: 'Rebalancing', text: rebalancingLine(form, strategy) },
            ...shortLines(strategy, chosen.account),
            ...stopLines(strategy),
          ]}
          blockers={problems}
          tickers={tickers}
          capitalProblem={moneyProblem}
        >
          <LiveMoneyNote account={chosen.account} isStarting={form.autoStart} />
          <Button
            type="submit"
            size="md"
            disabled={create.isPending || problems.length > 0}
            {...(chosen.account?.paper_trading === false && { 'data-danger': true })}
          >
            {create.isPending ? 'Deploying...' : 'Deploy Strategy'}
          </Button>
        </StrategySummary>
        <NewOrdersCard form={form} strategy={strategy} isReady={isPreviewable} />
        <NewReplayCard form={form} isReady={isPreviewable} />
      </div>
    </FormShell>
  )
}

interface MoreSettingsProps {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  children: ReactNode
}

/** All sections whose fields have defaults. */
function MoreSettings({ isOpen, onToggle, children }: MoreSettingsProps) {
  return (
    <details
      className={classes.moreSettings}
      open={isOpen}
      onToggle={(event) => {
        // Details inside bubble in React.
        if (event.target === event.currentTarget) onToggle(event.currentTarget.open)
      }}
    >
      <summary>
        <IconChevronRight size={16} stroke={1.8} aria-hidden />
        <span>
          More
          <small>Name, ticker mapping, schedule, orders, limits, e-mail</small>
        </span>
      </summary>
      <div className={classes.sections}>{children}</div>
    </details>
  )
}

/** The last month of the deployment that the form describes. Asked for by its button. */
function NewReplayCard({ form, isReady }: { form: DeployForm; isReady: boolean }) {
  const body = { ...toCreateBody(form), deployment_name: '', auto_start: false }
  const whyNot =
    form.contributionMode === 'cash'
      ? 'Offered as soon as the deployment is ready.'
      : 'The last month is replayed for cash.'
  const isOffered = isReady && form.contributionMode === 'cash'
  return (
    <MonthReplayCard
      key={JSON.stringify(body)}
      question={JSON.stringify(body)}
      ask={(signal) => call(replayNewDeployment, { body, signal })}
      whyNot={isOffered ? null : whyNot}
    />
  )
}

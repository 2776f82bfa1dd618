import { choicesOf } from '@tradewright/core/backtest-settings'
import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { plainLine } from '@tradewright/core/plain-line'
import { z } from 'zod'
import { Problem } from '@tradewright/core/problem'
import { afterControl, isEditable } from '@tradewright/engine/trading/deployment-status'
import type { RunnableStrategy, Deployment } from '../../live-trading/deployment.ts'
import { accountMissing } from '../../brokerage/account.ts'
import { deploy, type DeployForm } from '../../live-trading/deploy/deploy.ts'
import { findRunnable } from '../../live-trading/deploy/deployable-strategies.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { defineProposal, proposedName, quoted, type Change } from '../proposal.ts'
import { strategyRows } from '../strategy-rows.ts'
import { controlDeployment, findDeployment } from '../../live-trading/control.ts'
import { editDeployment, type EditForm } from '../../live-trading/deploy/edit.ts'

const percentOrNone = z.number().gt(0).max(100).nullable()

/** Settings of a deployment that can be proposed, in the words of the deploy form. */
const DeploymentChanges = z.object({
  name: proposedName(200).optional(),
  rebalance_threshold: z.number().min(0).max(50).optional().describe('Percentage points.'),
  rebalance_frequency: z.enum(choicesOf('rebalanceFrequency')).optional(),
  trading_frequency_type: z.enum(['continuous', 'end_of_day']).optional(),
  check_frequency_minutes: z.int().min(1).max(1440).optional(),
  end_of_day_minutes_before_close: z.int().min(1).max(120).optional(),
  dry_run: z.boolean().optional().describe('Decides and records, and sends no orders.'),
  max_daily_loss_pct: percentOrNone.optional().describe('null: no limit.'),
  max_drawdown_pct: percentOrNone.optional().describe('null: no limit.'),
})
type DeploymentChanges = z.infer<typeof DeploymentChanges>

type Value = string | number | boolean | null
type Values = Readonly<Partial<Record<keyof DeploymentChanges, Value | undefined>>>

/** The defaults of a new deployment, as the deploy form has them. */
const NEW_SETTINGS: Values = {
  rebalance_threshold: 5,
  rebalance_frequency: 'monthly',
  trading_frequency_type: 'continuous',
  check_frequency_minutes: 60,
  end_of_day_minutes_before_close: 30,
  dry_run: false,
  max_daily_loss_pct: null,
  max_drawdown_pct: null,
}

const FREQUENCY_WORDS: Readonly<Record<string, string>> = { continuous: 'Continuous', end_of_day: 'End of day' }
const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
const percentWords = (value: Value): string => (value === null ? 'No limit' : `${String(value)}%`)
const minutes = (value: Value): string => `${String(value)} minutes`

const WORDS: Record<keyof DeploymentChanges, readonly [label: string, write: (value: Value) => string]> = {
  name: ['Name', String],
  rebalance_threshold: ['Rebalance threshold', percentWords],
  rebalance_frequency: ['Rebalancing', (value) => capitalised(String(value))],
  trading_frequency_type: ['Trading', (value) => FREQUENCY_WORDS[String(value)] ?? String(value)],
  check_frequency_minutes: ['Checked every', minutes],
  end_of_day_minutes_before_close: ['Before the close', minutes],
  dry_run: ['Dry run', (value) => (value === true ? 'On' : 'Off')],
  max_daily_loss_pct: ['Largest daily loss', percentWords],
  max_drawdown_pct: ['Largest drawdown', percentWords],
}

const NAMES = Object.keys(WORDS) as (keyof DeploymentChanges)[]

/** The settings that are given, without the name. */
const changedSettings = (given: DeploymentChanges): Values =>
  Object.fromEntries(
    NAMES.flatMap((name) => (name === 'name' || given[name] === undefined ? [] : [[name, given[name]] as const])),
  )

/** What is given, and differs from what is now. */
const settingRows = (now: Values, given: Values): Change[] =>
  NAMES.filter((name) => given[name] !== undefined && given[name] !== now[name]).map((name) => {
    const [label, write] = WORDS[name]
    return { label, before: write(now[name] ?? null), after: write(given[name] ?? null) }
  })

interface Deps extends LiveDeps {
  /** Reads the deploy form's fields. */
  readonly deployFormOf: (fields: Readonly<Record<string, unknown>>) => DeployForm
}

const Content = z.object({
  name: proposedName(200).describe('Of the deployment.'),
  strategy_id: z.int(),
  account_id: z.int().describe('Of list_brokerage_accounts.'),
  amount_usd: z.number().positive().max(1_000_000_000),
  start: z.boolean().default(true).describe('Paper accounts only. With real money the user starts it themselves.'),
  ...DeploymentChanges.omit({ name: true }).shape,
})

export const createDeploymentProposal = (deps: Deps) =>
  defineProposal({
    kind: 'create_deployment',
    description:
      'Deploy a saved strategy to a brokerage account. On a paper account accepting may start it; with real money the user ' +
      'still has to start it and to type its name.',
    content: Content,
    async describe(userId, content) {
      const { strategy, runnable } = await findRunnable(deps, userId, content.strategy_id)
      const account = await deps.accounts.find(userId, content.account_id)
      if (!account) throw accountMissing()
      const { isPaper } = account
      const starts = isPaper && content.start
      const held = strategyRows(runnable)
      return {
        title: `Deploy ${quoted(strategy.name)} with ${usd(Decimal.fromNumber(content.amount_usd))} of ${isPaper ? 'paper' : 'real'} money`,
        subject: plainLine(content.name, 80),
        changes: [
          { label: 'Deployment', before: null, after: plainLine(content.name, 200) },
          { label: 'Strategy', before: null, after: plainLine(`${strategy.name} (${strategy.type})`, 220) },
          ...held.changes,
          {
            label: 'Account',
            before: null,
            after: plainLine(`${account.name} (${isPaper ? 'paper' : 'real money'})`, 120),
          },
          { label: 'Capital', before: null, after: usd(Decimal.fromNumber(content.amount_usd)) },
          ...settingRows(NEW_SETTINGS, changedSettings(content)).map(({ label, after }) => ({
            label,
            before: null,
            after,
          })),
          {
            label: 'After accepting',
            before: null,
            after: starts ? 'It is started at once' : 'It is created, and not started',
          },
        ],
        notices: [
          ...held.notices,
          ...(isPaper
            ? []
            : [
                'This is real money. Accepting creates the deployment; it trades only after you start it and type its name.',
              ]),
        ],
        isRealMoney: !isPaper,
        basis: held.basis!,
      }
    },
    async accept({ userId, actor }, content, basis) {
      const account = await deps.accounts.find(userId, content.account_id)
      const starts = account?.isPaper === true && content.start
      const form = deps.deployFormOf({
        ...changedSettings(content),
        deployment_name: content.name,
        strategy_id: content.strategy_id,
        alpaca_account_id: content.account_id,
        capital_policy: 'fixed_contribution',
        capital_policy_value: String(content.amount_usd),
        auto_start: starts,
      })
      const refuseOther = (runnable: RunnableStrategy) => {
        if (strategyRows(runnable).basis === basis) return
        const sentence =
          'The strategy was changed while this was accepted. Nothing was deployed. It can be proposed again.'
        throw new Problem('conflict', 'proposal.changed', sentence)
      }
      const { deployment, startError } = await deploy({ ...deps, actor }, userId, { ...form, refuseOther })
      const started = starts && startError === null
      const why = startError === null ? '' : ` It could not be started: ${startError}`
      return {
        outcome: `${quoted(deployment.name)} is created${started ? ' and started' : ', and not started'}.${why}`,
        link: `/live-trading/${deployment.id}${deployment.isPaper ? '' : '?start'}`,
      }
    },
  })

/** What it holds is kept: a sale is a trade. */
export const stopDeploymentProposal = (deps: LiveDeps) =>
  defineProposal({
    kind: 'stop_deployment',
    description: 'Stop a running or paused deployment. Its open orders are cancelled; what it holds is kept.',
    content: z.object({ deployment_id: z.int() }),
    async describe(userId, { deployment_id: id }) {
      const { name, status, isPaper } = await findDeployment(deps, userId, id)
      afterControl(status, 'stop')
      return {
        title: `Stop the deployment ${quoted(name)}`,
        subject: plainLine(name, 80),
        changes: [
          { label: 'Status', before: status === 'running' ? 'Running' : 'Paused', after: 'Stopped' },
          { label: 'Open orders', before: null, after: 'Cancelled' },
          { label: 'Positions', before: null, after: 'Kept' },
        ],
        notices: isPaper ? [] : ['This deployment trades real money.'],
        isRealMoney: !isPaper,
      }
    },
    async accept({ userId, actor }, { deployment_id: id }) {
      const { name } = await controlDeployment({ ...deps, actor }, userId, id, 'stop')
      return { outcome: `${quoted(name)} is stopped. What it holds is kept.`, link: `/live-trading/${id}` }
    },
  })

interface ChangeDeps extends LiveDeps {
  /** The edit form with what is stored, and these fields changed. */
  readonly editFormOf: (userId: number, id: number, changes: DeploymentChanges) => Promise<EditForm>
}

export const changeDeploymentProposal = (deps: ChangeDeps) =>
  defineProposal({
    kind: 'change_deployment',
    description: 'Change settings of a deployment that is not running. Its strategy, account and capital stay.',
    content: z.object({ deployment_id: z.int(), changes: DeploymentChanges }),
    async describe(userId, { deployment_id: id, changes }) {
      const deployment = await findDeployment(deps, userId, id)
      const rows = settingRows(valuesOf(deployment), changes).map(oneLine)
      if (rows.length === 0) throw new Problem('invalid', 'proposal.same', 'The deployment has these settings already.')
      if (!isEditable(deployment.status)) {
        const sentence = `${quoted(deployment.name)} is running. Its settings can be changed while it is paused or stopped.`
        throw new Problem('conflict', 'deployment.running', sentence)
      }
      const [first] = rows
      return {
        title:
          rows.length === 1 && first ? titleOf(first) : `Change ${rows.length} settings of ${quoted(deployment.name)}`,
        subject: plainLine(deployment.name, 80),
        changes: rows,
        notices: deployment.isPaper ? [] : ['This deployment trades real money.'],
        isRealMoney: !deployment.isPaper,
      }
    },
    async accept({ userId, actor }, { deployment_id: id, changes }) {
      const form = await deps.editFormOf(userId, id, changes)
      const { name } = await editDeployment({ ...deps, actor }, userId, id, form)
      return { outcome: `The settings of ${quoted(name)} are changed.`, link: `/live-trading/${id}` }
    },
  })

const titleOf = ({ label, before, after }: Change): string => `${label}: ${after} instead of ${before ?? 'none'}`

const oneLine = ({ label, before, after }: Change): Change => ({
  label,
  before: before && plainLine(before, 200),
  after: plainLine(after, 200),
})

const valuesOf = ({ name, settings }: Deployment) => ({
  name,
  rebalance_threshold: settings.rebalanceThresholdPct,
  rebalance_frequency: settings.rebalanceFrequency,
  trading_frequency_type: settings.frequencyType,
  check_frequency_minutes: settings.checkFrequencyMinutes,
  end_of_day_minutes_before_close: settings.minutesBeforeClose,
  dry_run: settings.dryRun,
  max_daily_loss_pct: settings.maxDailyLossPct,
  max_drawdown_pct: settings.maxDrawdownPct,
})

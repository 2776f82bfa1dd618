import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { plainLine } from '@tradewright/core/plain-line'
import { z } from 'zod'
import { Problem } from '@tradewright/core/problem'
import type { RunnableStrategy } from '../../live-trading/deployment.ts'
import { accountMissing } from '../../brokerage/account.ts'
import { deploy, type DeployForm } from '../../live-trading/deploy/deploy.ts'
import { findRunnable } from '../../live-trading/deploy/deployable-strategies.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { defineProposal, proposedName, quoted } from '../proposal.ts'
import { strategyRows } from '../strategy-rows.ts'
import { changedSettings, DeploymentChanges, NEW_SETTINGS, settingRows } from '../deployment-settings.ts'

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

import { plainLine } from '@tradewright/core/plain-line'
import { Problem } from '@tradewright/core/problem'
import { isEditable } from '@tradewright/engine/trading/deployment-status'
import { z } from 'zod'
import { findDeployment } from '../../live-trading/control.ts'
import type { Deployment } from '../../live-trading/deployment.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { editDeployment, type EditForm } from '../../live-trading/deploy/edit.ts'
import { DeploymentChanges, settingRows } from '../deployment-settings.ts'
import { type Change, defineProposal, quoted } from '../proposal.ts'

interface Deps extends LiveDeps {
  /** The edit form with what is stored, and these fields changed. */
  readonly editFormOf: (userId: number, id: number, changes: DeploymentChanges) => Promise<EditForm>
}

export const changeDeploymentProposal = (deps: Deps) =>
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

import { plainLine } from '@tradewright/core/plain-line'
import { afterControl } from '@tradewright/engine/trading/deployment-status'
import { z } from 'zod'
import { controlDeployment, findDeployment } from '../../live-trading/control.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { defineProposal, quoted } from '../proposal.ts'

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

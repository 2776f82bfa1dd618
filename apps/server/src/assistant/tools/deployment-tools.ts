import { z } from 'zod'
import { type DeploymentView, problemsOf, viewDeployment, viewDeployments } from '../../live-trading/views.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { defineTool } from '../tool.ts'

const MAX_LISTED = 30

/** Reading only: nothing of a deployment can be changed from here. */
export const deploymentTools = (deps: Pick<LiveDeps, 'database' | 'gate'>) => ({
  listDeployments: defineTool({
    name: 'list_deployments',
    description: "The user's deployments of live trading, paper and live, with status, value and profit or loss.",
    note: 'Looking at your deployments',
    input: z.object({}),
    async run({ userId }) {
      const views = await viewDeployments(deps, userId)
      return { total: views.length, deployments: views.slice(0, MAX_LISTED).map(deploymentFacts) }
    },
  }),

  getDeployment: defineTool({
    name: 'get_deployment',
    description: 'One deployment with what it holds.',
    note: 'Reading a deployment',
    input: z.object({ deployment_id: z.int() }),
    async run({ userId }, { deployment_id }) {
      const view = await viewDeployment(deps, userId, deployment_id)
      const positions = [...view.slice.positions].map(([ticker, quantity]) => ({
        ticker,
        quantity: quantity.toNumber(),
      }))
      return { ...deploymentFacts(view), positions }
    },
  }),
})

export type DeploymentTools = ReturnType<typeof deploymentTools>

function deploymentFacts(view: DeploymentView) {
  const { deployment, slice, value, pnl } = view
  return {
    deployment_id: deployment.id,
    name: deployment.name,
    status: deployment.status,
    strategy: deployment.strategyName,
    account: deployment.accountName,
    is_paper: deployment.isPaper,
    committed: deployment.totals.committed.toNumber(),
    cash: slice.cash.toNumber(),
    value: value.toNumber(),
    profit_or_loss: pnl.toNumber(),
    next_check: deployment.nextRunAt?.toISOString() ?? null,
    problem: problemsOf(view).join(' ') || null,
  }
}

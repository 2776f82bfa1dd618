import { deploymentMissing, type Deployment, type DeploymentSettings } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import { recordNote } from '../cycle/record-note.ts'
import { assertMayBegin } from './go-live.ts'

type Safety = Partial<Pick<DeploymentSettings, 'dryRun' | 'maxDailyLossPct' | 'maxDrawdownPct' | 'lossAction'>>

/** May be set while a deployment runs: the next poll takes the limits into account. */
export async function setSafety(
  deps: LiveDeps,
  userId: number,
  id: number,
  safety: Safety,
  confirmation?: string,
): Promise<Deployment> {
  const changed = await deps.database.transaction(async ({ deployments }) => {
    const deployment = await deployments.lock(userId, id)
    if (!deployment) throw deploymentMissing()
    // The end of a dry run is the first order.
    const begins = deployment.settings.dryRun && safety.dryRun === false && deployment.status === 'running'
    if (begins) assertMayBegin(deps, deployment, confirmation)
    await deployments.change(id, { settings: { ...deployment.settings, ...safety } })
    return (await deployments.find(userId, id))!
  })
  const { dryRun, maxDailyLossPct, maxDrawdownPct, lossAction = 'pause' } = changed.settings
  const limit = (pct: number | null) => (pct === null ? 'none' : `${pct}%`)
  const sentence = `Dry run ${dryRun ? 'on' : 'off'}, daily loss limit ${limit(maxDailyLossPct)}, drawdown limit ${limit(maxDrawdownPct)}. A broken limit ${lossAction === 'sell' ? 'sells everything' : 'pauses'}.`
  await recordNote(deps, changed, { code: 'safety-changed', level: 'info', sentence })
  return changed
}

import { Problem } from '@tradewright/core/problem'
import type { Deployment } from './deployment.ts'
import type { LiveDeps } from './deps.ts'

export const HELD = 'This instance was restored from a backup: nothing is sent until its operator allows it to trade.'

/** A deployment counts as one that trades where this cannot be told, without the database. */
export const isHeld = ({ database }: Pick<LiveDeps, 'database'>, id: number): Promise<boolean> =>
  database.leases.attendance(id).then(
    (attendance) => attendance === 'held',
    () => false,
  )

/** What is asked for now would be carried out later, when the instance may trade, with what the account holds by then. */
export async function refuseHeld({ database }: Pick<LiveDeps, 'database'>, { id }: Deployment): Promise<void> {
  if ((await database.leases.attendance(id)) === 'held') throw new Problem('conflict', 'deployment.held', HELD)
}

import { sentenceFor } from '@tradewright/core/problem'
import type { Broker } from '@tradewright/engine/trading/broker'
import { SYSTEM } from './actor.ts'
import { reconcile } from './cycle/reconcile/reconcile.ts'
import type { BrokerageAccountRef, CycleDeps } from './cycle/types.ts'

type CompareDeps = Pick<CycleDeps, 'database' | 'clock' | 'log' | 'deploymentLog'> & {
  readonly brokerFor: (userId: number, accountId: number) => Promise<Broker>
}

/** What an account that was restored from a backup lacked, and why it may not trade. */
export interface RestoredAccount {
  readonly adopted: readonly string[]
  readonly obstacle: string | undefined
}

/**
 * Compares an account of a restored instance with its broker over the last 30 days, before it may trade: what the broker
 * did for its deployments after the backup is taken over. `acceptsUnknown`: orders of deployments that the backup does not have
 * are the account's own. Each deployment's activity says what was found.
 */
export async function compareRestored(
  deps: CompareDeps,
  ref: BrokerageAccountRef,
  acceptsUnknown: boolean,
): Promise<RestoredAccount> {
  const adopted: string[] = []
  const obstacle = await obstacleOf(deps, ref, acceptsUnknown, adopted).catch((error: unknown) => {
    deps.log.debug({ err: error, accountId: ref.accountId }, 'a restored account could not be compared')
    return `It could not be compared with its broker: ${sentenceFor(error)}`
  })
  await deps.deploymentLog.flush()
  const found = `${adopted.length} ${adopted.length === 1 ? 'order' : 'orders'} taken over`
  const message = `Compared with the broker after the restore: ${found}.${obstacle === undefined ? '' : ` ${obstacle}`}`
  const level = obstacle === undefined ? 'info' : 'error'
  const deployments = await deps.database.deployments.onAccount(ref.accountId)
  await deps.database.journal.tell(
    deployments.map(({ id }) => ({
      deploymentId: id,
      at: deps.clock.now(),
      activity: { type: 'event', level, message, actor: SYSTEM },
    })),
  )
  return { adopted, obstacle }
}

async function obstacleOf(
  deps: CompareDeps,
  ref: BrokerageAccountRef,
  acceptsUnknown: boolean,
  adopted: string[],
): Promise<string | undefined> {
  // What market data say about splits and mergers is looked up when it trades.
  const signalService = { splits: async () => [], dividends: async () => [], listedActions: async () => undefined }
  const reconcileDeps = { ...deps, signalService, onStep: () => {}, notify: async () => {} }
  const broker = await deps.brokerFor(ref.userId, ref.accountId)
  const compare = () =>
    reconcile(reconcileDeps, broker, ref, { isThorough: true, onAdopted: ({ message }) => void adopted.push(message) })
  let { verdict, otherInstallations } = await compare()
  if (otherInstallations !== null && acceptsUnknown) {
    await deps.database.books.acceptForeign(ref.accountId, deps.clock.now())
    ;({ verdict, otherInstallations } = await compare())
  }
  if (otherInstallations !== null) return otherInstallations
  return verdict === 'moving' ? 'Orders are being executed in it. Try again in a minute.' : undefined
}

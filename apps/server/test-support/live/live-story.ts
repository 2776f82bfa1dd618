import type { Decision } from '../../src/live-trading/decision.ts'
import type { Deployment } from '../../src/live-trading/deployment.ts'
import type { LiveRunner } from '../../src/live-trading/cycle/runner.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type LiveWorld, settle } from './live-world.ts'

/** The slice of a deployment of $10,000 after its first decision. */
export const INVESTED = ['0', '15 SPY', '44.444444444 TLT']
export const ONLY_CASH = ['10000']

/** Cash to the cent, then positions by name. */
export async function sliceOf({ deps, accountId }: LiveWorld, id: number): Promise<string[]> {
  const { cash, positions } = await deps.database.books.slice(accountId, id)
  const held = [...positions].map(([ticker, quantity]) => `${String(quantity)} ${ticker}`)
  return [String(cash.rounded(2)), ...held.sort()]
}

export const deploymentOf = async ({ deps }: LiveWorld, id: number): Promise<Deployment> =>
  (await deps.database.deployments.byId(id))!

export const healthOf = async (world: LiveWorld, id: number): Promise<string | null> =>
  (await deploymentOf(world, id)).healthProblem?.sentence ?? null

export const outcomeOf = async ({ deps }: LiveWorld, id: number): Promise<Decision['outcome'] | undefined> =>
  (await deps.database.decisions.latest(id))?.outcome

interface StoredMail {
  readonly event: string
  readonly key: string
  readonly subject: string
  /** Without the lines that name the account. */
  readonly text: string
}

/** E-mails about the account's deployments, in the order they were written. */
export async function mailsOf({ database, accountId }: LiveWorld): Promise<StoredMail[]> {
  const rows = await database.database
    .selectFrom('deployment_messages')
    .innerJoin('deployments', 'deployments.id', 'deployment_id')
    .select(['event', 'key', 'subject', 'body'])
    .where('account_id', '=', accountId)
    .orderBy('deployment_messages.id')
    .execute()
  return rows.map(({ event, key, subject, body }) => ({ event, key, subject, text: body.split('\n\n')[0]! }))
}

/** Deployed and invested by its first decision. */
export async function invested(
  world: LiveWorld,
  runners: LiveRunner | readonly LiveRunner[] = world.runner(),
): Promise<{ deployment: Deployment; runner: LiveRunner }> {
  const deployment = await world.deployed()
  world.toDecision()
  await settle(world, runners, 4)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  return { deployment, runner: [runners].flat()[0]! }
}

/** The holders of leases count as dead: the leases have run out. */
export async function expireLeases({ database }: LiveWorld): Promise<void> {
  await database.database
    .updateTable('deployment_leases')
    .set({ expires_at: sql<Date>`clock_timestamp() - interval '1 second'` })
    .execute()
  await database.database.deleteFrom('live_processes').execute()
}

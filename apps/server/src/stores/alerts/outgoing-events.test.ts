import { Problem } from '@tradewright/core/problem'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openTestJobs, untilAborted } from '../../../test-support/test-jobs.ts'
import { withTwoUsers } from '../../../test-support/two-users.ts'
import { enqueueJob } from '../../jobs/job-watch.ts'
import { defineJobKind } from '../../jobs/job.ts'
import { putEvent } from './outgoing-events.ts'

const world = withTwoUsers()
const Order = z.object({ strategyName: z.string() })

async function webhookOf(userId: number, events: string[]): Promise<number> {
  const { id } = await world.database
    .insertInto('alert_channels')
    .values({
      user_id: userId,
      kind: 'webhook',
      name: 'Hook',
      target: 'example.com',
      sealed_values: Buffer.alloc(0),
      is_enabled: true,
      created_at: new Date(),
      events,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const eventsOf = (channelId: number) =>
  world.database.selectFrom('deployment_messages').selectAll().where('channel_id', '=', channelId).execute()

it('tells the end of a job, and of one that is cancelled before it began, once and to its user', async () => {
  const refused = defineJobKind({
    kind: 'backtest',
    input: Order,
    run: () => Promise.reject(new Problem('invalid', 'ticker.unknown', 'There is no ticker XYZ.')),
  })
  const own = await webhookOf(world.ann, ['backtest.finished'])
  const deaf = await webhookOf(world.ann, ['order.filled'])
  const others = await webhookOf(world.bob, ['backtest.finished'])
  await using jobs = await openTestJobs(world.url, [refused], { run: true })
  const order = { subject: '', isLimited: false, userId: world.ann, input: { strategyName: 'Ended' } }
  const { job } = await enqueueJob(jobs, refused, order)
  await expect(jobs.watch.result(world.ann, job.id)).rejects.toThrow('XYZ')
  const told = await eventsOf(own)
  expect(told.map(({ event, data }) => ({ event, data }))).toEqual([
    {
      event: 'backtest.finished',
      data: {
        job_id: job.id,
        state: 'failed',
        error: 'There is no ticker XYZ.',
        strategy_name: 'Ended',
        backtest_id: null,
      },
    },
  ])
  expect(await eventsOf(deaf)).toEqual([])
  expect(await eventsOf(others)).toEqual([])
})

it('tells of a job that was cancelled before it began', async () => {
  const own = await webhookOf(world.ann, ['study.finished'])
  const idle = defineJobKind({ kind: 'parameter-study', input: z.object({}), run: untilAborted })
  await using jobs = await openTestJobs(world.url, [idle], { run: false })
  const { job } = await enqueueJob(jobs, idle, { subject: '7', isLimited: false, userId: world.ann, input: {} })
  await jobs.jobs.requestCancel(world.ann, job.id)
  await jobs.jobs.requestCancel(world.ann, job.id)
  expect((await eventsOf(own)).map(({ data }) => data)).toEqual([
    { job_id: job.id, state: 'cancelled', error: null, study_id: 7 },
  ])
})

it('puts an event in once, and so many an hour', async () => {
  const own = await webhookOf(world.ann, ['proposal.made'])
  const event = (key: string) => ({ event: 'proposal.made' as const, key, subject: 'A', text: 'B', data: { key } })
  for (const key of ['a', 'a', 'b'.repeat(5_000)]) await putEvent(world.database, world.ann, event(key))
  expect(await eventsOf(own)).toHaveLength(2)
  await world.database.transaction().execute(async (transaction) => {
    for (let count = 0; count < 520; count++) await putEvent(transaction, world.ann, event(`n${count}`))
  })
  const all = await eventsOf(own)
  expect(all).toHaveLength(500)
  expect(all.filter(({ data }) => (data as { more_left_out?: boolean }).more_left_out)).toHaveLength(1)
})

import { Problem } from '@tradewright/core/problem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openTestJobs, point, untilAborted } from '../../test-support/test-jobs.ts'
import { Nothing, nothing, withTwoUsers } from '../../test-support/two-users.ts'
import { createJobStore } from '../stores/jobs/jobs.ts'
import { enqueueJob, findJob } from './job-watch.ts'
import { defineJobKind } from './job.ts'

const world = withTwoUsers()

describe('failure', () => {
  it('ends the job at once when it is a Problem, with its sentence', async () => {
    const refused = defineJobKind({
      kind: 'refused',
      input: Nothing,
      run: () => Promise.reject(new Problem('invalid', 'ticker.unknown', 'There is no ticker XYZ.')),
    })
    await using jobs = await openTestJobs(world.url, [refused], { run: true })
    const { job } = await enqueueJob(jobs, refused, { ...nothing, userId: world.ann })
    const failure = { kind: 'invalid', code: 'ticker.unknown', message: 'There is no ticker XYZ.' }
    await expect(jobs.watch.result(world.ann, job.id)).rejects.toMatchObject({ name: 'Problem', ...failure })
    expect(await findJob(jobs, world.ann, job.id)).toMatchObject({ state: 'failed', attempts: 1, error: failure })
  })

  it('is tried again from the checkpoint when it is a bug, up to the limit', async () => {
    const seen: unknown[] = []
    const broken = defineJobKind({
      kind: 'broken',
      input: Nothing,
      attemptLimit: 2,
      run: async ({ attempt, previous, checkpoint }) => {
        seen.push({ attempt, previous })
        await checkpoint({ after: attempt })
        throw new Error('index out of range')
      },
    })
    await using jobs = await openTestJobs(world.url, [broken], { run: true })
    const { job } = await enqueueJob(jobs, broken, { ...nothing, userId: world.ann })
    await expect(jobs.watch.result(world.ann, job.id)).rejects.toThrow('Something went wrong on our side')
    expect(seen).toEqual([
      { attempt: 1, previous: null },
      { attempt: 2, previous: { after: 1 } },
    ])
    expect(await findJob(jobs, world.ann, job.id)).toMatchObject({ state: 'failed', attempts: 2 })
  })

  it('is an outage, not a bug, when the database was lost each time', async () => {
    const interrupted = defineJobKind({
      kind: 'interrupted',
      input: Nothing,
      attemptLimit: 1,
      run: () => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })),
    })
    await using jobs = await openTestJobs(world.url, [interrupted], { run: true })
    const { job } = await enqueueJob(jobs, interrupted, { ...nothing, userId: world.ann })
    const outage = { kind: 'unavailable', code: 'database.away' }
    await expect(jobs.watch.result(world.ann, job.id)).rejects.toMatchObject({ name: 'Problem', ...outage })
  })

  it('is recorded when the result cannot be stored', async () => {
    const unstorable = defineJobKind({
      kind: 'unstorable',
      input: Nothing,
      attemptLimit: 1,
      run: () => Promise.resolve({ count: 1n }),
    })
    await using jobs = await openTestJobs(world.url, [unstorable], { run: true })
    const { job } = await enqueueJob(jobs, unstorable, { ...nothing, userId: world.ann })
    await expect(jobs.watch.result(world.ann, job.id)).rejects.toThrow('Something went wrong on our side')
  })

  it('begins anew when the stored checkpoint is of another version', async () => {
    const upgraded = defineJobKind({
      kind: 'upgraded',
      input: Nothing,
      checkpoint: z.object({ generation: z.number() }),
      run: async ({ attempt, previous, checkpoint }) => {
        if (attempt > 1) return { previous }
        await checkpoint({ generatoin: 1 } as never)
        throw new Error('and then it was fixed')
      },
    })
    await using jobs = await openTestJobs(world.url, [upgraded], { run: true })
    const { job } = await enqueueJob(jobs, upgraded, { ...nothing, userId: world.ann })
    expect(await jobs.watch.result(world.ann, job.id)).toEqual({ previous: null })
  })
})

describe('several workers', () => {
  it('never run the same job at once, and run every job', async () => {
    const begun: string[] = []
    const brief = defineJobKind({
      kind: 'brief',
      input: Nothing,
      concurrency: 3,
      run: ({ jobId }) => Promise.resolve(void begun.push(jobId)),
    })
    await using first = await openTestJobs(world.url, [brief], { run: true })
    await using _ = await openTestJobs(world.url, [brief], { run: true })
    const added = await Promise.all(
      Array.from({ length: 40 }, () => enqueueJob(first, brief, { ...nothing, userId: world.ann })),
    )
    const ids = added.map(({ job }) => job.id)
    await Promise.all(ids.map((id) => first.watch.result(world.ann, id)))
    expect(begun.sort()).toEqual(ids.sort())
  })

  it('let a user with one job go before the second job of another', async () => {
    const order: number[] = []
    const gate = point()
    const fair = defineJobKind({
      kind: 'fair',
      input: Nothing,
      concurrency: 2,
      run: async ({ userId }) => {
        order.push(userId)
        await gate.promise
      },
    })
    await using waiting = await openTestJobs(world.url, [fair], { run: false })
    const added: { userId: number; id: string }[] = []
    for (const userId of [world.ann, world.ann, world.ann, world.bob]) {
      const { job } = await enqueueJob(waiting, fair, { ...nothing, userId })
      added.push({ userId, id: job.id })
    }
    await using _ = await openTestJobs(world.url, [fair], { run: true })
    await expect.poll(() => order.length).toBe(2)
    expect(order).toEqual([world.ann, world.bob])
    gate.resolve()
    await Promise.all(added.map(({ userId, id }) => waiting.watch.result(userId, id)))
  })

  it('keep places for other users, however much one queues', async () => {
    const gate = point()
    const order: number[] = []
    const crowded = defineJobKind({
      kind: 'crowded',
      input: Nothing,
      concurrency: 3,
      concurrencyPerUser: 2,
      run: async ({ userId }) => {
        order.push(userId)
        await gate.promise
      },
    })
    await using jobs = await openTestJobs(world.url, [crowded], { run: true })
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await enqueueJob(jobs, crowded, { ...nothing, userId: world.ann })).job.id)
    await expect.poll(() => order.length).toBe(2)
    const { job } = await enqueueJob(jobs, crowded, { ...nothing, userId: world.bob })
    await expect.poll(() => order.length).toBe(3)
    expect(order).toEqual([world.ann, world.ann, world.bob])
    gate.resolve()
    await jobs.watch.result(world.bob, job.id)
    await Promise.all(ids.map((id) => jobs.watch.result(world.ann, id)))
  })

  it('look at all processes for the user with the fewest at work', async () => {
    const gate = point()
    const began: string[] = []
    const spread = (process: string) =>
      defineJobKind({
        kind: 'spread',
        input: Nothing,
        concurrency: 1,
        run: async ({ userId }) => {
          began.push(`${userId === world.ann ? 'ann' : 'bob'} in ${process}`)
          await gate.promise
        },
      })
    await using first = await openTestJobs(world.url, [spread('first')], { run: true })
    const added: { userId: number; id: string }[] = []
    const add = async (userId: number) => {
      const { job } = await enqueueJob(first, spread(''), { ...nothing, userId })
      added.push({ userId, id: job.id })
    }
    await add(world.ann)
    await expect.poll(() => began).toEqual(['ann in first'])
    await add(world.ann)
    await add(world.bob)
    // Ann's second job is older, and nothing of hers runs in the second process.
    await using _ = await openTestJobs(world.url, [spread('second')], { run: true })
    await expect.poll(() => began.length).toBe(2)
    expect(began[1]).toBe('bob in second')
    gate.resolve()
    await Promise.all(added.map(({ userId, id }) => first.watch.result(userId, id)))
  })

  it('give the only place to another user at a checkpoint, and go on from there afterwards', async () => {
    const begun = new Set<number>()
    const stepwise = defineJobKind({
      kind: 'stepwise',
      input: Nothing,
      checkpoint: z.object({ step: z.number() }),
      concurrency: 1,
      async run({ userId, previous, checkpoint }) {
        begun.add(userId)
        for (let step = (previous?.step ?? 0) + 1; !begun.has(world.bob); step++) await checkpoint({ step })
        return { wentOnFrom: previous?.step ?? 0 }
      },
    })
    await using jobs = await openTestJobs(world.url, [stepwise], { run: true, turnMs: 0 })
    const { job: ann } = await enqueueJob(jobs, stepwise, { ...nothing, userId: world.ann })
    await expect.poll(async () => (await findJob(jobs, world.ann, ann.id)).state).toBe('running')
    const { job: bob } = await enqueueJob(jobs, stepwise, { ...nothing, userId: world.bob })
    expect(await jobs.watch.result(world.bob, bob.id)).toEqual({ wentOnFrom: 0 })
    const { wentOnFrom } = z.object({ wentOnFrom: z.number() }).parse(await jobs.watch.result(world.ann, ann.id))
    expect(wentOnFrom).toBeGreaterThan(0)
    expect(await findJob(jobs, world.ann, ann.id)).toMatchObject({ attempts: 1 })
  })

  it('write nothing more once another one has begun the job', async () => {
    const begun = point()
    const takenOver = point()
    const outcome = Promise.withResolvers<unknown>()
    const slow = defineJobKind({
      kind: 'slow',
      input: Nothing,
      run: async ({ checkpoint }) => {
        begun.resolve()
        await takenOver.promise
        await checkpoint({ by: 'the first' }).then(outcome.resolve, outcome.resolve)
        return 'of the first'
      },
    })
    await using jobs = await openTestJobs(world.url, [slow], { run: true })
    const { job } = await enqueueJob(jobs, slow, { ...nothing, userId: world.ann })
    await begun.promise
    await world.pool.query('UPDATE jobs SET claim_id = gen_random_uuid() WHERE id = $1', [job.id])
    takenOver.resolve()
    expect(await outcome.promise).toMatchObject({ why: 'taken over' })
    await jobs.close()
    expect(await findJob({ jobs: createJobStore(world.database, {} as never) }, world.ann, job.id)).toMatchObject({
      state: 'running',
      checkpoint: null,
      result: null,
    })
  })

  it('take up at once what a process before them left running, where there can be no other', async () => {
    const begun = point()
    const halted = defineJobKind({
      kind: 'left',
      input: Nothing,
      // It has no place for it a second time.
      concurrency: 1,
      run: (context) => {
        begun.resolve()
        return untilAborted(context)
      },
    })
    // It is silent, but its lease would take ten seconds to run out.
    await using silent = await openTestJobs(world.url, [halted], { run: true })
    const { job } = await enqueueJob(silent, halted, { ...nothing, userId: world.ann })
    await begun.promise
    const going = defineJobKind({ ...halted, run: ({ attempt }) => Promise.resolve({ attempt }) })
    await using only = await openTestJobs(world.url, [going], { run: true, alone: true })
    expect(await only.watch.result(world.ann, job.id)).toEqual({ attempt: 2 })
  })

  it('hand a running job back when they shut down, without counting the attempt', async () => {
    const checkpointed = point()
    const handed = defineJobKind({
      kind: 'handed',
      input: Nothing,
      run: async (context) => {
        if (context.previous) return { attempt: context.attempt, previous: context.previous }
        await context.checkpoint({ generation: 7 })
        checkpointed.resolve()
        return untilAborted(context)
      },
    })
    await using web = await openTestJobs(world.url, [handed], { run: false })
    const leaving = await openTestJobs(world.url, [handed], { run: true })
    const { job } = await enqueueJob(web, handed, { ...nothing, userId: world.ann })
    await checkpointed.promise
    await leaving.close()
    expect(await findJob(web, world.ann, job.id)).toMatchObject({ state: 'queued', attempts: 0 })
    await using _ = await openTestJobs(world.url, [handed], { run: true })
    expect(await web.watch.result(world.ann, job.id)).toEqual({ attempt: 1, previous: { generation: 7 } })
  })

  it('give a job up that keeps killing its worker', async () => {
    const deadly = defineJobKind({ kind: 'deadly', input: Nothing, attemptLimit: 3, run: () => Promise.resolve(1) })
    await using waiting = await openTestJobs(world.url, [deadly], { run: false })
    const { job } = await enqueueJob(waiting, deadly, { ...nothing, userId: world.ann })
    // As three workers leave it that were killed, one after the other.
    await world.pool.query(
      `UPDATE jobs SET state = 'running', attempts = 3, claim_id = gen_random_uuid() WHERE id = $1`,
      [job.id],
    )
    await using _ = await openTestJobs(world.url, [deadly], { run: true })
    await expect(waiting.watch.result(world.ann, job.id)).rejects.toMatchObject({
      code: 'job.interrupted',
      message: 'The work was interrupted 3 times because its worker process stopped, and was given up.',
    })
  })

  it('count no attempt of a run that was silent for too long and lives', async () => {
    const begun: number[] = []
    const gate = point()
    const starved = defineJobKind({
      kind: 'starved',
      input: Nothing,
      attemptLimit: 1,
      async run(context) {
        begun.push(context.attempt)
        return begun.length === 1 ? untilAborted(context) : gate.promise.then(() => ({ attempt: context.attempt }))
      },
    })
    await using jobs = await openTestJobs(world.url, [starved], { run: true })
    const { job } = await enqueueJob(jobs, starved, { ...nothing, userId: world.ann })
    await expect.poll(() => begun).toEqual([1])
    // As pg-boss does when no heartbeat came for ten seconds: under load a process may have no time to send one.
    await world.pool.query(`UPDATE pgboss.job SET state = 'retry' WHERE name = 'starved' AND state = 'active'`)
    await expect.poll(() => begun).toEqual([1, 1])
    gate.resolve()
    expect(await jobs.watch.result(world.ann, job.id)).toEqual({ attempt: 1 })
    expect(await findJob(jobs, world.ann, job.id)).toMatchObject({ state: 'completed', attempts: 1 })
  })

  it('deliver a job again whose message was lost', async () => {
    const lost = defineJobKind({ kind: 'lost', input: Nothing, run: () => Promise.resolve('found') })
    await using waiting = await openTestJobs(world.url, [lost], { run: false })
    const { job } = await enqueueJob(waiting, lost, { ...nothing, userId: world.ann })
    await world.pool.query(`DELETE FROM pgboss.job WHERE name = 'lost'`)
    await world.pool.query(`UPDATE jobs SET updated_at = now() - interval '2 minutes' WHERE id = $1`, [job.id])
    await using _ = await openTestJobs(world.url, [lost], { run: true })
    expect(await waiting.watch.result(world.ann, job.id)).toBe('found')
  })
})

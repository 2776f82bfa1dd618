import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openTestJobs, point, untilAborted } from '../../test-support/test-jobs.ts'
import { Nothing, nothing, withTwoUsers } from '../../test-support/two-users.ts'
import { enqueueJob, enqueueJobs, JobWatch, cancelJob, findJob } from './job-watch.ts'
import { defineJobKind } from './job.ts'

const world = withTwoUsers()

describe('a job', () => {
  it('ends with its result, its last progress and its times', async () => {
    const double = defineJobKind({
      kind: 'double',
      input: z.object({ value: z.number() }),
      run: (context, { value }) => {
        for (let step = 1; step <= 100; step++) context.reportProgress({ fraction: step / 100, note: `step ${step}` })
        return Promise.resolve({ doubled: value * 2 })
      },
    })
    await using jobs = await openTestJobs(world.url, [double], { run: true })
    const { job } = await enqueueJob(jobs, double, { userId: world.ann, subject: 'twenty-one', input: { value: 21 } })
    expect(job).toMatchObject({ state: 'queued', subject: 'twenty-one', attempts: 0 })
    expect(await jobs.watch.result(world.ann, job.id)).toEqual({ doubled: 42 })
    const ended = await findJob(jobs, world.ann, job.id)
    expect(ended).toMatchObject({ state: 'completed', attempts: 1, progress: { fraction: 1, note: 'step 100' } })
    expect(ended.startedAt).toBeInstanceOf(Date)
    expect(ended.finishedAt).toBeInstanceOf(Date)
  })

  it('is seen by its owner only', async () => {
    const idle = defineJobKind({ kind: 'idle', input: Nothing, run: untilAborted })
    await using jobs = await openTestJobs(world.url, [idle], { run: false })
    const { job } = await enqueueJob(jobs, idle, { ...nothing, userId: world.ann })
    await expect(findJob(jobs, world.bob, job.id)).rejects.toMatchObject({ kind: 'missing' })
    await expect(cancelJob(jobs, world.bob, job.id)).rejects.toMatchObject({ kind: 'missing' })
    await expect(findJob(jobs, world.ann, 'no uuid')).rejects.toMatchObject({ kind: 'missing' })
    expect(await findJob(jobs, world.ann, job.id)).toMatchObject({ state: 'queued', cancelRequested: false })
  })

  it('is cancelled with all others of its kind and subject, and no others', async () => {
    const piece = defineJobKind({ kind: 'piece', input: Nothing, run: untilAborted })
    await using jobs = await openTestJobs(world.url, [piece], { run: false })
    const pieces = (userId: number, subject: string) =>
      enqueueJobs(jobs, piece, { userId, subject, inputs: [nothing.input, nothing.input] })
    const ended = await pieces(world.ann, '7')
    const kept = [...(await pieces(world.ann, '77')), ...(await pieces(world.bob, '7'))]
    await jobs.jobs.cancelAll(world.ann, 'piece', '7')
    const stateOf = async ({ userId, id }: { userId: number; id: string }) => (await findJob(jobs, userId, id)).state
    expect(await Promise.all(ended.map(stateOf))).toEqual(['cancelled', 'cancelled'])
    expect(await Promise.all(kept.map(stateOf))).toEqual(['queued', 'queued', 'queued', 'queued'])
  })

  it('is added with the transaction that adds it, or not at all', async () => {
    const joined = defineJobKind({ kind: 'joined', input: Nothing, run: () => Promise.resolve('done') })
    await using jobs = await openTestJobs(world.url, [joined], { run: true })
    const add = (succeeds: boolean) =>
      world.database.transaction().execute(async (transaction) => {
        const store = jobs.jobsWithin(transaction)
        const { job } = await enqueueJob({ jobs: store }, joined, { ...nothing, userId: world.ann })
        if (!succeeds) throw new Error(job.id)
        return job.id
      })
    const kept = await add(true)
    const dropped = await add(false).catch((error: Error) => error.message)
    expect(await jobs.watch.result(world.ann, kept)).toBe('done')
    await expect(findJob(jobs, world.ann, dropped)).rejects.toMatchObject({ kind: 'missing' })
  })

  it('is not doubled while one with its singleton key is unfinished', async () => {
    const once = defineJobKind({ kind: 'once', input: Nothing, run: () => Promise.resolve('done') })
    await using waiting = await openTestJobs(world.url, [once], { run: false })
    const ask = (userId: number) => enqueueJob(waiting, once, { ...nothing, userId, singletonKey: 'SPY' })
    const both = await Promise.all([ask(world.ann), ask(world.ann)])
    expect(new Set(both.map(({ job }) => job.id)).size).toBe(1)
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect((await ask(world.bob)).isNew).toBe(true)
    await using _ = await openTestJobs(world.url, [once], { run: true })
    await waiting.watch.result(world.ann, both[0].job.id)
    expect((await ask(world.ann)).isNew).toBe(true)
  })
})

describe('many jobs at once', () => {
  const spelled = defineJobKind({
    kind: 'spelled',
    input: z.object({ letter: z.string() }),
    run: (_, { letter }) => Promise.resolve(letter),
  })
  const letters = 'tradewright'.split('').map((letter) => ({ letter }))
  const many = (userId: number) => ({ userId, subject: 'a word', inputs: letters })

  it('each end with their own result, whichever process ran them', async () => {
    await using first = await openTestJobs(world.url, [spelled], { run: true })
    await using _ = await openTestJobs(world.url, [spelled], { run: true })
    const jobs = await enqueueJobs(first, spelled, many(world.ann))
    expect(jobs.map(({ input }) => input)).toEqual(letters)
    const results = await Promise.all(jobs.map(({ id }) => first.watch.result(world.ann, id)))
    expect(results.join('')).toBe('tradewright')
    await expect(first.watch.result(world.bob, jobs[0]!.id)).rejects.toMatchObject({ kind: 'missing' })
  })

  it('are added with the transaction that adds them, or not at all', async () => {
    await using jobs = await openTestJobs(world.url, [spelled], { run: false })
    let added: string[] = []
    const adding = world.database.transaction().execute(async (transaction) => {
      added = (await enqueueJobs({ jobs: jobs.jobsWithin(transaction) }, spelled, many(world.ann))).map(({ id }) => id)
      throw new Error('no')
    })
    await expect(adding).rejects.toThrow('no')
    expect(added).toHaveLength(letters.length)
    expect(await jobs.jobs.findAllOwned(world.ann, added)).toEqual([])
  })

  it('may be none', async () => {
    await using jobs = await openTestJobs(world.url, [spelled], { run: false })
    expect(await enqueueJobs(jobs, spelled, { ...many(world.ann), inputs: [] })).toEqual([])
  })
})

describe('cancel', () => {
  it('ends a queued job at once, and it never runs', async () => {
    const runs: string[] = []
    const noted = defineJobKind({
      kind: 'noted',
      input: Nothing,
      run: ({ jobId }) => Promise.resolve(runs.push(jobId)),
    })
    await using waiting = await openTestJobs(world.url, [noted], { run: false })
    const { job: first } = await enqueueJob(waiting, noted, { ...nothing, userId: world.ann })
    const { job: second } = await enqueueJob(waiting, noted, { ...nothing, userId: world.ann })
    expect(await cancelJob(waiting, world.ann, first.id)).toMatchObject({ state: 'cancelled', cancelRequested: true })
    await using _ = await openTestJobs(world.url, [noted], { run: true })
    await waiting.watch.result(world.ann, second.id)
    expect(runs).toEqual([second.id])
  })

  it('aborts a running job from another process and keeps its checkpoint', async () => {
    const checkpointed = point()
    const endless = defineJobKind({
      kind: 'endless',
      input: Nothing,
      run: async (context) => {
        await context.checkpoint({ step: 3 })
        checkpointed.resolve()
        await untilAborted(context)
      },
    })
    await using web = await openTestJobs(world.url, [endless], { run: false })
    await using _ = await openTestJobs(world.url, [endless], { run: true })
    const { job } = await enqueueJob(web, endless, { ...nothing, userId: world.ann })
    await checkpointed.promise
    expect(await cancelJob(web, world.ann, job.id)).toMatchObject({ state: 'running', cancelRequested: true })
    await expect(web.watch.result(world.ann, job.id)).rejects.toMatchObject({ code: 'job.cancelled' })
    expect(await findJob(web, world.ann, job.id)).toMatchObject({ state: 'cancelled', checkpoint: { step: 3 } })
  })

  it('ends a job whose code ignores the signal', async () => {
    const begun = point()
    const end = point()
    const deaf = defineJobKind({
      kind: 'deaf',
      input: Nothing,
      run: () => {
        begun.resolve()
        return end.promise
      },
    })
    await using jobs = await openTestJobs(world.url, [deaf], { run: true })
    const { job } = await enqueueJob(jobs, deaf, { ...nothing, userId: world.ann })
    await begun.promise
    await cancelJob(jobs, world.ann, job.id)
    await expect(jobs.watch.result(world.ann, job.id)).rejects.toMatchObject({ code: 'job.cancelled' })
    end.resolve()
  })

  it('is answered as missing when it goes with its user, without a message', async () => {
    const endless = defineJobKind({ kind: 'endless', input: Nothing, run: untilAborted })
    await using jobs = await openTestJobs(world.url, [endless], { run: false })
    const { job } = await enqueueJob(jobs, endless, { ...nothing, userId: world.ann })
    const watch = await JobWatch.open(jobs.jobs, { listen: async () => {} }, 20)
    // Expected from the beginning: it may be answered before the deletion is.
    const answered = expect(watch.result(world.ann, job.id)).rejects.toMatchObject({ kind: 'missing' })
    await world.database.deleteFrom('jobs').where('id', '=', job.id).execute()
    await answered
  })

  it('leaves a finished job as it is', async () => {
    const quick = defineJobKind({ kind: 'quick', input: Nothing, run: () => Promise.resolve(1) })
    await using jobs = await openTestJobs(world.url, [quick], { run: true })
    const { job } = await enqueueJob(jobs, quick, { ...nothing, userId: world.ann })
    await jobs.watch.result(world.ann, job.id)
    expect(await cancelJob(jobs, world.ann, job.id)).toMatchObject({ state: 'completed', cancelRequested: false })
  })
})

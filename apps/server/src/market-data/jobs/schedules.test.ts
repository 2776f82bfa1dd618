import { ManualClock } from '@tradewright/core/clock'
import { DAY } from '@tradewright/core/time'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { openTestJobs } from '../../../test-support/test-jobs.ts'
import { createTestUser } from '../../../test-support/test-user.ts'
import type { JobsArea } from '../../areas/jobs.ts'
import { defineJobKind } from '../../jobs/job.ts'
import {
  createCollectionJobStore,
  createDueJobs,
  createCollectionRunStore,
} from '../../stores/market-data/collection-jobs.ts'
import { createDataStoreRows } from '../../stores/market-data/data-stores.ts'
import { enqueueJob } from '../../jobs/job-watch.ts'
import { systemClock } from '../../system-clock.ts'
import type { CollectionJobSettings } from './collection-job.ts'
import { singletonKeyOf } from './run-job.ts'
import { collectionRequestKind, startDueJobs } from './scheduler.ts'

let test: TestDatabase
let area: JobsArea & AsyncDisposable
let userId: number
let storeId: number
let users = 0
/** A Wednesday, an hour after the time of every job here. */
const noon = new Date('2026-03-04T15:30:00Z')
const dueAt = new Date('2026-03-04T14:30:00Z')

beforeAll(async () => {
  test = await createTestDatabase()
  const kind = defineJobKind({ ...collectionRequestKind, run: () => Promise.resolve({}) })
  area = await openTestJobs(test.url, [kind], { run: false })
})
afterAll(async () => {
  await area.close()
  await test.close()
})
beforeEach(async () => {
  await test.database.deleteFrom('collection_jobs').execute()
  userId = await createTestUser(test.database, `scheduler-${++users}`)
  storeId = (await createDataStoreRows(test.database).systemStore(userId)).id
})

const jobs = () => createCollectionJobStore(test.database)
const tick = (now: Date) =>
  startDueJobs(
    createDueJobs(test.database, (transaction) => area.jobsWithin(transaction)),
    new ManualClock(now),
  )
const settings = (more: Partial<CollectionJobSettings> = {}): CollectionJobSettings => ({
  name: 'Nightly',
  jobKind: 'fetch',
  providerId: 'sample',
  dataStoreId: storeId,
  tickers: ['SPY'],
  granularity: '1d',
  categories: ['close'],
  dates: { startDate: null, endDate: null, isDynamic: true, startOffsetDays: 30, endOffsetDays: 0 },
  schedule: {
    cron: '30 9 * * *',
    startTime: null,
    endTime: null,
    timezone: 'America/New_York',
    startDate: null,
    endDate: null,
    days: [],
    marketHoursOnly: false,
    isActive: true,
  },
  additionalParams: {},
  transformConfig: null,
  dependsOnJobIds: [],
  ...more,
})
const queued = () => test.database.selectFrom('jobs').selectAll().where('user_id', '=', userId).execute()

describe('schedules', () => {
  it('start a job once, however many processes look at the same moment', async () => {
    await jobs().insert(userId, settings(), dueAt)
    const started = await Promise.all([tick(noon), tick(noon), tick(noon)])
    expect(started.reduce((sum, count) => sum + count)).toBe(1)
    expect(await queued()).toHaveLength(1)
    expect(await tick(noon)).toBe(0)
  })

  it('make up for a week of missed times with one run, and then go on as planned', async () => {
    const { id } = await jobs().insert(userId, settings(), new Date(dueAt.getTime() - 7 * DAY))
    expect(await tick(noon)).toBe(1)
    expect((await jobs().find(userId, id))!.nextRunAt?.toISOString()).toBe('2026-03-05T14:30:00.000Z')
  })

  it('leave a job alone before its time', async () => {
    await jobs().insert(userId, settings(), dueAt)
    expect(await tick(new Date(dueAt.getTime() - 1))).toBe(0)
  })

  it('start the other jobs when one has a schedule that cannot be read', async () => {
    const { id } = await jobs().insert(userId, settings({ name: 'Later' }), new Date(dueAt.getTime() - 1))
    await test.database
      .updateTable('collection_jobs')
      .set({ schedule: '{"isActive": true, "days": [], "timezone": "Later"}' })
      .where('id', '=', id)
      .execute()
    await jobs().insert(userId, settings(), dueAt)
    expect(await tick(noon)).toBe(1)
    expect((await queued()).map(({ subject }) => subject)).toEqual(['Nightly'])
  })

  it('hold a job back until those it depends on have ended', async () => {
    const first = await jobs().insert(userId, settings({ name: 'First' }), dueAt)
    await jobs().insert(userId, settings({ name: 'Second', dependsOnJobIds: [first.id] }), dueAt)
    expect(await tick(noon)).toBe(1)
    expect(await tick(noon)).toBe(0)
    const [work] = await queued()
    await area.jobs.requestCancel(userId, work!.id)
    expect(await tick(noon)).toBe(1)
    expect((await queued()).map(({ subject }) => subject).sort()).toEqual(['First', 'Second'])
  })
})

describe('a run', () => {
  it('was cancelled, and has not failed, when its work was stopped without a word from it', async () => {
    const job = await jobs().insert(userId, settings({ schedule: null }), null)
    const { job: work } = await enqueueJob(area, collectionRequestKind, {
      userId,
      subject: job.name,
      input: { collectionJobId: job.id },
      singletonKey: singletonKeyOf(job.id),
    })
    const runs = createCollectionRunStore(test.database)
    await runs.begin(job, { queueJobId: work.id, providerName: 'Sample', startedAt: systemClock.now() })
    await area.jobs.requestCancel(userId, work.id)
    expect(await runs.list(userId, 10)).toMatchObject([{ status: 'cancelled', errorMessage: null }])
    expect((await jobs().find(userId, job.id))!.standing).toMatchObject({ status: 'cancelled', failedRuns: 0 })
  })

  it('goes on with its row when it begins again, and has failed when its work is gone', async () => {
    const job = await jobs().insert(userId, settings({ schedule: null }), null)
    const runs = createCollectionRunStore(test.database)
    const queueJobId = '00000000-0000-4000-8000-000000000000'
    const begin = () => runs.begin(job, { queueJobId, providerName: 'Sample', startedAt: systemClock.now() })
    expect(await begin()).toBe(await begin())
    expect(await runs.list(userId, 10)).toMatchObject([{ status: 'failed', errorMessage: 'The run was interrupted.' }])
    expect((await jobs().find(userId, job.id))!.standing).toMatchObject({ status: 'failed', failedRuns: 1 })
  })
})

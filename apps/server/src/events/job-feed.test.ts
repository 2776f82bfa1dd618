import { expect, it } from 'vitest'
import type { JobChange, Job } from '../jobs/job.ts'
import { createLog } from '../log.ts'
import { JobFeed } from './job-feed.ts'

it('tells of a run, and neither reads nor tells of its pieces', async () => {
  let tell: (payload: string) => void = () => {}
  const messages = { listen: async (_: string, onMessage: (payload: string) => void) => void (tell = onMessage) }
  const read: string[] = []
  const jobs = { findOwned: async (userId: number, id: string) => (read.push(id), { id, userId } as Job) }
  const feed = await JobFeed.open(jobs, messages, createLog({ logLevel: 'silent' }), ['piece'])
  const { promise: heard, resolve } = Promise.withResolvers<Job>()
  feed.subscribe(1, { onJob: resolve, onGap: () => {} })
  const change = (job: string, kind: string): JobChange => ({ job, user: 1, kind, what: 'ended' })
  tell(JSON.stringify(change('a piece of it', 'piece')))
  tell(JSON.stringify(change('the run', 'run')))
  expect(await heard).toMatchObject({ id: 'the run' })
  expect(read).toEqual(['the run'])
})

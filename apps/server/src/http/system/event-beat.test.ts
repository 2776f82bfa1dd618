import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readEvents } from '../../../test-support/event-reader.ts'
import { JobFeed } from '../../events/job-feed.ts'
import { createLog } from '../../log.ts'
import { createApp } from '../server/app.ts'
import { serveEvents } from './events.ts'
import type { CallerSession } from '../server/handle.ts'

const session: CallerSession = {
  id: 's',
  user: { id: 1, username: 'ann', email: '' },
  credential: 'cookie',
  signedInAt: new Date(0),
  factorAt: null,
}

it('beats while nothing happens, and ends when the session has expired', async () => {
  const log = createLog({ logLevel: 'silent' })
  const app = await createApp({ log, appUrl: undefined })
  onTestFinished(() => app.close())
  const messages = { listen: () => Promise.resolve() }
  let lookups = 0
  await serveEvents(app, {
    feed: await JobFeed.open({} as never, messages, log, []),
    authenticate: () => {
      lookups += 1
      if (lookups === 3) return Promise.reject(new Error('the database is away'))
      return Promise.resolve(lookups < 5 ? session : null)
    },
    onProposals: () => Promise.resolve(),
    countProposals: () => Promise.resolve(0),
    onSessionEnd: () => Promise.resolve(),
    beatEveryMs: 10,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const reader = await readEvents(`http://127.0.0.1:${port}`, {})
  await reader.ended
  expect(reader.text()).toBe(`retry: 2000\nid: 0\n\n${': still here\n\n'.repeat(3)}`)
})

import { ManualClock } from '@tradewright/core/clock'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Deployment } from '../../live-trading/deployment.ts'
import { createNotify, type Mailer } from '../../live-trading/notifications.ts'
import { createLog } from '../../log.ts'
import { settingsOf } from '../../../test-support/live/live-world.ts'
import { smtpMailer } from './mailer.ts'

interface Received {
  to: string[]
  text: string
}

let server: SMTPServer
let received: Received[]
let mailer: Mailer
beforeEach(async () => {
  received = []
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _, callback) =>
      callback(
        address.startsWith('nobody') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : undefined,
      ),
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
        callback(null, 'queued')
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  mailer = smtpMailer({ url: `smtp://127.0.0.1:${server.server.address().port}`, from: 'tradewright@example.com' })
})
afterEach(async () => {
  mailer.close()
  await new Promise<void>((resolve) => server.close(resolve))
})

const log = createLog({ logLevel: 'silent' })
const deployment = {
  id: 7,
  name: 'Momentum',
  accountName: 'Paper',
  isPaper: true,
  settings: settingsOf({
    notifications: {
      isEnabled: true,
      emails: ['ann@example.com', 'bob@example.com'],
      events: { trades: true, errors: true, signals: false, daily_summary: true },
    },
  }),
} as Deployment

describe('e-mail', () => {
  it('arrives at a real server, one message per address', async () => {
    const notify = createNotify(mailer, new ManualClock(new Date()), log)
    notify(deployment, 'trades', { subject: 'Momentum: 2 orders filled', text: 'Buy SPY: filled', key: 'trades:1' })
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2)
    expect(received.flatMap(({ to }) => to).sort()).toEqual(['ann@example.com', 'bob@example.com'])
    expect(received[0]!.text).toMatch(/Subject: Momentum: 2 orders filled/)
    expect(received[0]!.text).toMatch(/X-Tradewright-Event: trades/)
    expect(received[0]!.text).toContain('Account: Paper (paper)')
  })

  it('tells each thing once, the same error once an hour, and nothing that is off [LIVE-206]', async () => {
    const clock = new ManualClock(new Date())
    const notify = createNotify(mailer, clock, log)
    const error = { subject: 'Problem', text: 'No data', key: 'error:No data' }
    notify(deployment, 'errors', error)
    notify(deployment, 'errors', error)
    notify(deployment, 'signals', { subject: 'Buy', text: 'Buy', key: 'signal:1' })
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2)
    clock.advance(3_600_000)
    notify(deployment, 'errors', error)
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(4)
  })

  it('that fails is logged and stops nobody', async () => {
    const nowhere = smtpMailer({ url: 'smtp://127.0.0.1:1', from: 'tradewright@example.com' })
    const notify = createNotify(nowhere, new ManualClock(new Date()), log)
    expect(() => notify(deployment, 'trades', { subject: 's', text: 't', key: 'k' })).not.toThrow()
    await expect(nowhere.sendTest('ann@example.com')).rejects.toMatchObject({ kind: 'upstream' })
    nowhere.close()
  })

  it('has a test that says whether it arrived', async () => {
    await mailer.sendTest('ann@example.com')
    expect(received).toHaveLength(1)
    await expect(mailer.sendTest('nobody@example.com')).rejects.toThrow(/could not be sent/)
    const none = smtpMailer({ url: undefined, from: undefined })
    await expect(none.sendTest('ann@example.com')).rejects.toThrow('E-mail is not configured')
  })
})

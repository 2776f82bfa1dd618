import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { Outbox } from '../../live-trading/notifications/outbox.ts'
import { AddressRefused, mailOf, type Mailer } from '../../live-trading/notifications/notifications.ts'
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
        address.startsWith('unknown') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : undefined,
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

describe('e-mail', () => {
  it('arrives at a real server, with its event as a header', async () => {
    await mailer.send({ to: 'ann@example.com', subject: 'Momentum: 2 orders filled', text: 'Buy SPY', event: 'trades' })
    expect(received.map(({ to }) => to)).toEqual([['ann@example.com']])
    expect(received[0]!.text).toMatch(/Subject: Momentum: 2 orders filled/)
    expect(received[0]!.text).toMatch(/X-Tradewright-Event: trades/)
  })

  it('about a trade reaches a real server, from the decision on', async () => {
    const world = await liveWorld()
    await world.deployed()
    world.toDecision()
    await settle(world, world.runner(), 4)
    const { database, clock, log } = world.deps
    const outbox = new Outbox({
      messages: database.messages,
      deliver: (message) => mailer.send(message),
      clock,
      log,
      save: () => Promise.resolve(),
    })
    await outbox.poll()
    expect(received.map(({ to }) => to)).toEqual([['ann@example.com']])
    expect(received[0]!.text).toMatch(/Subject: Sixty forty live: 2 orders filled/)
    expect(received[0]!.text).toContain('Buy SPY: filled, 15 at $400.00')
    await world.close()
  })

  const INJECTIONS = [
    'Momentum\r\nBcc: stranger@example.com',
    'Momentum\nBcc: stranger@example.com\n\nPay here',
    'Momentum\rBcc: stranger@example.com',
    'Momentum\u2028Bcc: stranger@example.com\u0085Bcc: stranger@example.com\u0000',
    '=?utf-8?Q?Momentum=0D=0ABcc:_stranger@example.com?=',
    `Momentum${' long'.repeat(400)}\r\n Bcc: stranger@example.com`,
    'ann@example.com\r\nRCPT TO:<stranger@example.com>',
    'ann@example.com>,<stranger@example.com',
    '"ann, stranger@example.com" <ann@example.com>',
    'ann@example.com\r\n.\r\nMAIL FROM:<x@example.com>\r\nRCPT TO:<stranger@example.com>',
  ]
  const HEADERS =
    /^(from|to|subject|message-id|content-transfer-encoding|date|mime-version|content-type|x-tradewright-event)$/i

  it.each(INJECTIONS)('is one mail to one address with our headers, whatever it is made from: %j', async (hostile) => {
    const plain = { to: 'ann@example.com', subject: 'Momentum', text: 'Buy SPY', event: 'trades' }
    for (const field of ['subject', 'event', 'text'] as const) await mailer.send({ ...plain, [field]: hostile })
    for (const mail of [plain, { ...plain, event: hostile }]) await mailer.send(mailOf({ ...mail, subject: hostile }))
    expect(received).toHaveLength(5)
    for (const { to, text } of received) {
      expect(to).toEqual(['ann@example.com'])
      const [head] = text.split('\r\n\r\n', 1)
      const lines = head!.split('\r\n').filter((line) => !/^[ \t]/.test(line))
      expect(lines.filter((line) => !HEADERS.test(line.split(':', 1)[0]!))).toEqual([])
      expect(head).not.toMatch(/[^\r]\n|\r[^\n]/)
    }
    expect(received.map(({ text }) => /^Subject: (.*)$/m.exec(text)![1]).slice(3)).toEqual([
      'Tradewright: trades of a deployment',
      'Tradewright: notification of a deployment',
    ])
    const sent = await mailer.send({ ...plain, to: hostile }).catch((error: unknown) => error)
    expect(sent).toBeInstanceOf(AddressRefused)
    expect(received.flatMap(({ to }) => to)).not.toContain('stranger@example.com')
  })

  it('to an address that is refused is not tried again, to a server that is away it is', async () => {
    const mail = { subject: 's', text: 't', event: 'trades' }
    await expect(mailer.send({ ...mail, to: 'unknown@example.com' })).rejects.toBeInstanceOf(AddressRefused)
    const nowhere = smtpMailer({ url: 'smtp://127.0.0.1:1', from: 'tradewright@example.com' })
    const failure = await nowhere.send({ ...mail, to: 'ann@example.com' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(AddressRefused)
    await expect(nowhere.sendTest('ann@example.com')).rejects.toMatchObject({ kind: 'upstream' })
    nowhere.close()
  })

  it('has a test that says whether it arrived', async () => {
    await mailer.sendTest('ann@example.com')
    expect(received).toHaveLength(1)
    await expect(mailer.sendTest('unknown@example.com')).rejects.toThrow(/could not be sent/)
    const none = smtpMailer({ url: undefined, from: undefined })
    await expect(none.sendTest('ann@example.com')).rejects.toThrow('E-mail is not configured')
  })
})

import type { AlertDelivery, AlertsAnswer, InboxAnswer } from '@tradewright/contract/alerts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { errorOf, newStrategy, paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { type LiveServer, liveServer } from '../../../test-support/live/live-server.ts'
import { type MailServer, startMailServer } from '../../../test-support/mail-server.ts'
import {
  NTFY_TOKEN,
  startAlertReceivers,
  TELEGRAM_TOKEN,
  WEBHOOK_SECRET,
} from '../../../test-support/stand-ins/alert-receivers.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'

let receivers: StandIn
let mails: MailServer
let live: LiveServer
let ann: Caller
let forms: Record<'email' | 'webhook' | 'ntfy' | 'telegram', Record<string, string>>

beforeAll(async () => {
  receivers = await startAlertReceivers()
  mails = await startMailServer()
  live = await liveServer('2026-03-04', {
    SMTP_URL: mails.url,
    MAIL_FROM: 'tradewright@example.com',
    TELEGRAM_URL: receivers.url,
    ALLOW_PRIVATE_ALERTS: 'on',
  })
  forms = {
    email: { address: 'ann@example.com' },
    webhook: { url: `${receivers.url}/hook`, secret: WEBHOOK_SECRET },
    ntfy: { server: receivers.url, topic: 'protected', token: NTFY_TOKEN },
    telegram: { token: TELEGRAM_TOKEN, chat_id: '4711' },
  }
})
afterAll(async () => {
  await live.close()
  await mails.close()
  await receivers.close()
})
beforeEach(async () => {
  ann = await newcomer()
  receivers.behave()
  receivers.requests.length = 0
})

/** A user whose e-mail address is verified; a verified address belongs to one account. */
async function newcomer(): Promise<Caller> {
  const one = await caller(live.server)
  await sql`UPDATE users SET email_state = 'unverified' WHERE email_key = 'ann@example.com'`.execute(
    live.server.database.database,
  )
  await sql`
    UPDATE users SET email = 'Ann@example.com', email_key = 'ann@example.com', email_state = 'verified'
    WHERE id = ${one.id}`.execute(live.server.database.database)
  return one
}

const add = (kind: string, fields: object, more: object = {}) =>
  ann.post('/api/alerts/channels', { kind, name: `My ${kind}`, fields, ...more })
const state = async () => (await ann.get('/api/alerts')).json<AlertsAnswer>()
const channel = async (kind: string) => (await state()).channels.find((one) => one.kind === kind)!
const carry = () => live.worker.liveTrading.outbox.poll()
const beat = () => live.worker.liveTrading.heartbeats.poll()
const seen = () => receivers.requests.map(({ path }) => path)

async function running(name = 'Live one'): Promise<number> {
  const body = {
    deployment_name: name,
    strategy_id: await newStrategy(ann, name),
    alpaca_account_id: await paperAccountOf(ann),
    capital_policy_value: 1000,
    trading_frequency_type: 'end_of_day',
    auto_start: true,
  }
  return (await ann.post('/api/deployment/create', body)).json<{ deployment_id: number }>().deployment_id
}

it('has a test of each channel, in the documented bytes of its receiver', async () => {
  for (const [kind, fields] of Object.entries(forms)) {
    expect((await add(kind, fields)).statusCode).toBe(200)
    const answer = await ann.post(`/api/alerts/channels/${(await channel(kind)).id}/test`)
    expect(answer.statusCode, answer.body).toBe(200)
  }
  expect((await mails.next('ann@example.com')).text).toContain('This is a test.')
  const [hook, ntfy, telegram] = receivers.requests
  expect(JSON.parse(hook!.body)).toMatchObject({ event: 'test', level: 'notice', subject: 'Tradewright: test alert' })
  expect(ntfy).toMatchObject({
    method: 'POST',
    path: '/protected',
    headers: { title: 'Tradewright: test alert', priority: '3', tags: 'information_source' },
    body: expect.stringContaining('This is a test.'),
  })
  expect(JSON.parse(telegram!.body)).toMatchObject({
    chat_id: '4711',
    text: expect.stringContaining('This is a test.'),
  })
})

it('tells why a test failed, without a secret', async () => {
  await add('telegram', { ...forms.telegram, chat_id: '404' })
  await add('ntfy', { ...forms.ntfy, token: 'tk_wrong_one_of_them' })
  await add('webhook', { ...forms.webhook, secret: 'another secret of 16' })
  const told: string[] = []
  for (const { id } of (await state()).channels) {
    const answer = await ann.post(`/api/alerts/channels/${id}/test`)
    expect(answer.statusCode).toBe(502)
    told.push(errorOf(answer))
  }
  expect(told).toEqual([
    'The test alert could not be sent: Telegram said “Bad Request: chat not found”.',
    'The test alert could not be sent: it refused the request as not allowed (HTTP 403).',
    'The test alert could not be sent: it refused the request as not allowed (HTTP 401).',
  ])
})

it('keeps secrets sealed, and shows none of them again', async () => {
  for (const [kind, fields] of Object.entries(forms)) await add(kind, fields)
  const { body } = await ann.get('/api/alerts')
  for (const secret of [WEBHOOK_SECRET, NTFY_TOKEN, TELEGRAM_TOKEN, `${receivers.url}/hook`, 'protected']) {
    expect(body).not.toContain(secret)
  }
  const { rows } = await sql<object>`SELECT * FROM alert_channels`.execute(live.server.database.database)
  expect(JSON.stringify(rows)).not.toContain(WEBHOOK_SECRET)
  const { id } = await channel('telegram')
  const changed = await ann.put(`/api/alerts/channels/${id}`, { name: 'Phone', fields: { chat_id: '4712' } })
  expect(changed.statusCode, changed.body).toBe(200)
  expect(await channel('telegram')).toMatchObject({ name: 'Phone', fields: { chat_id: '4712' }, target: 'chat 4712' })
  expect((await ann.post(`/api/alerts/channels/${id}/test`)).statusCode).toBe(200)
})

it('names every field that is missing, not only the first', async () => {
  const refused = await ann.post('/api/alerts/channels', { kind: 'telegram', name: '', fields: {} })
  expect([refused.statusCode, errorOf(refused)]).toEqual([400, 'Please enter: Bot token, Chat id.'])
})

it('sends no stored secret to another server', async () => {
  await add('ntfy', forms.ntfy)
  const { id } = await channel('ntfy')
  const moved = await ann.put(`/api/alerts/channels/${id}`, { fields: { server: `${receivers.url}/elsewhere` } })
  expect(moved.statusCode).toBe(400)
  expect(errorOf(moved)).toBe('Please enter: Topic.')
  await ann.put(`/api/alerts/channels/${id}`, { fields: { server: `${receivers.url}/elsewhere`, topic: 'free' } })
  await ann.post(`/api/alerts/channels/${id}/test`)
  expect(receivers.requests.at(-1)).toMatchObject({ path: '/elsewhere/free' })
  expect(receivers.requests.at(-1)!.headers).not.toHaveProperty('authorization')
})

it('sends so many tests an hour to addresses that a user enters, whichever way they are asked for', async () => {
  await add('email', forms.email)
  const { id } = await channel('email')
  const byChannel = () => ann.post(`/api/alerts/channels/${id}/test`)
  const byDeployment = () => ann.post('/api/deployment/notifications/test', { email: 'ann@example.com' })
  for (let sent = 0; sent < 10; sent += 2) {
    expect((await byChannel()).statusCode).toBe(200)
    expect((await byDeployment()).statusCode).toBe(200)
  }
  for (const answer of [await byChannel(), await byDeployment()]) {
    expect(answer.statusCode).toBe(429)
    expect(errorOf(answer)).toBe('Too many test messages. Please try again in 60 minutes.')
  }
  live.clock.advance(3_600_000)
  expect((await byChannel()).statusCode).toBe(200)
})

/** Alerts of a deployment that have been told, or wait, since a moment ago. */
const told = (deploymentId: number, channelId: number, count: number, state: 'sent' | 'waiting') =>
  sql`
    INSERT INTO deployment_messages
      (user_id, deployment_id, event, key, recipient, subject, body, channel_id, created_at, state)
    SELECT user_id, id, 'problem', 'earlier ' || number, 'x', 'x', 'x', ${channelId}::integer,
      ${live.clock.now()}::timestamptz, ${state}
    FROM deployments, generate_series(1, ${count}::integer) AS number
    WHERE id = ${deploymentId}::integer`.execute(live.server.database.database)

it('tells a channel so many alerts an hour, and says when it leaves out more', async () => {
  await add('webhook', forms.webhook)
  const [id, { id: channelId }] = [await running(), await channel('webhook')]
  await told(id, channelId, 99, 'sent')
  for (let times = 0; times < 3; times++) {
    await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
    live.clock.advance(1_000)
    await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  }
  await carry()
  const bodies = receivers.requests.map(({ body }) => (JSON.parse(body) as { text: string }).text)
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).toContain('More alerts within the hour are left out here; Live Trading shows all of them.')
  live.clock.advance(3_600_000)
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await carry()
  expect(receivers.requests).toHaveLength(2)
})

it('takes the alerts of every user in turn, however many wait for one of them', async () => {
  await add('webhook', forms.webhook)
  const busy = await running()
  await ann.post(`/api/deployment/${busy}/control`, { action: 'stop' })
  await told(busy, (await channel('webhook')).id, 50, 'waiting')
  ann = await caller(live.server)
  await add('webhook', forms.webhook)
  const id = await running('Of another user')
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await carry()
  const subjects = receivers.requests.map(({ body }) => (JSON.parse(body) as { subject: string }).subject)
  expect(subjects).toHaveLength(52)
  expect(subjects.slice(0, 20)).toContain('Of another user: stop')
})

it('refuses what cannot be a channel', async () => {
  const said = async (kind: string, fields: object, more: object = {}) => {
    const answer = await add(kind, fields, more)
    expect(answer.statusCode).toBe(400)
    return errorOf(answer)
  }
  expect(await said('pigeon', {})).toContain('The kind must be one of email, webhook, ntfy, telegram')
  expect(await said('webhook', { ...forms.webhook, url: 'ftp://example.com' })).toContain('https://')
  expect(await said('webhook', { ...forms.webhook, url: 'https://me:secret@example.com' })).toContain('user name')
  expect(await said('ntfy', { ...forms.ntfy, topic: '../v1/account' })).toContain('topic')
  expect(await said('telegram', { ...forms.telegram, token: '1/../2' })).toContain('bot token')
  expect(await said('email', { address: 'a@example.com, b@example.com' })).toContain('address')
  const hours = { from: '22:00', to: '07:00', time_zone: 'Mars/Olympus' }
  expect(await said('email', forms.email, { quiet_hours: hours })).toContain('time zone')
})

it('belongs to one user', async () => {
  await add('email', forms.email)
  const { id } = await channel('email')
  ann = await caller(live.server)
  expect((await state()).channels).toEqual([])
  for (const answer of [
    await ann.put(`/api/alerts/channels/${id}`, { fields: forms.email }),
    await ann.post(`/api/alerts/channels/${id}/test`),
    await ann.delete(`/api/alerts/channels/${id}`),
  ]) {
    expect(answer.statusCode).toBe(404)
  }
})

it('sends mail of a deployment only to addresses whose owner has confirmed them, with a heading of ours', async () => {
  const ask = async (email: string) =>
    (await ann.post('/api/deployment/notifications/test', { email })).json<{ message: string }>().message
  expect(await ask('stranger@example.com')).toContain('has not been confirmed yet')
  const asked = (await mails.next('stranger@example.com')).text
  expect(asked).toMatch(/^Subject: Tradewright: confirm that you want notifications\r$/m)
  expect(asked).not.toContain('ann')
  await ask('friend@example.com')
  const token = /recipient=([\w-]{43})/.exec((await mails.next('friend@example.com')).text)![1]
  const confirm = () => ann.post('/api/deployment/notifications/confirm', { token })
  expect((await confirm()).json()).toEqual({ success: true, email: 'friend@example.com' })
  expect((await confirm()).statusCode).toBe(400)
  expect(await ask('friend@example.com')).toBe('A test e-mail was sent to friend@example.com.')
  await mails.next('friend@example.com')
  // It was confirmed for the mails of one user, not of others.
  const bob = await caller(live.server)
  await bob.post('/api/deployment/notifications/test', { email: 'friend@example.com' })
  expect((await mails.next('friend@example.com')).text).toContain('/verify-email?recipient=')
  const id = await running('Your account is locked, see https://evil.example')
  const recipients = ['stranger@example.com', 'Friend@Example.com', 'Ann@Example.com']
  for (const to of recipients) {
    await sql`
      INSERT INTO deployment_messages
        (user_id, deployment_id, event, key, recipient, subject, body, created_at, state)
      SELECT user_id, id, 'trades', ${to}, ${to}, name || ': 2 orders filled', 'Bought 2 SPY.', ${live.clock.now()}::timestamptz, 'waiting'
      FROM deployments WHERE id = ${id}`.execute(live.server.database.database)
  }
  await carry()
  await carry()
  const mail = (await mails.next('ann@example.com')).text
  expect(mail).toMatch(/^Subject: Tradewright: trades of a deployment\r$/m)
  expect(mail).toContain('Your account is locked')
  expect((await mails.next('friend@example.com')).text).toContain('Bought 2 SPY.')
  expect(mails.received.flatMap(({ to }) => to)).not.toContain('stranger@example.com')
})

it('refuses names with line breaks, and sends none of them on as a header', async () => {
  const evil = 'Savings\r\nBcc: victim@example.com'
  const named = await ann.post('/api/deployment/create', {
    deployment_name: evil,
    strategy_id: await newStrategy(ann, 'Plain'),
    alpaca_account_id: await paperAccountOf(ann),
    capital_policy_value: 1000,
  })
  expect([named.statusCode, errorOf(named)]).toEqual([
    400,
    'deployment_name must not contain control characters or line breaks.',
  ])
  for (const [path, body] of [
    ['/api/strategies', { name: evil, strategy_type: 'ML' }],
    ['/api/ticker-lists', { name: evil, list_type: 'target', tickers: ['SPY'] }],
    ['/api/alerts/channels', { kind: 'email', name: evil, fields: forms.email }],
    ['/api/data-collector/saved-queries', { name: evil }],
  ] as const) {
    expect((await ann.post(path, body)).statusCode, path).toBe(400)
  }
  // A name that was stored before such names were refused.
  const id = await running('Earlier')
  await sql`UPDATE deployments SET name = ${evil} WHERE id = ${id}`.execute(live.server.database.database)
  await sql`
    INSERT INTO deployment_messages (user_id, deployment_id, event, key, recipient, subject, body, created_at, state)
    SELECT user_id, id, 'errors', 'evil', 'ann@example.com', ${`${evil}: trading problem`}, 'No data.', ${live.clock.now()}::timestamptz, 'waiting'
    FROM deployments WHERE id = ${id}`.execute(live.server.database.database)
  await add('email', forms.email)
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await carry()
  await carry()
  const first = await mails.next('ann@example.com')
  const second = await mails.next('ann@example.com')
  for (const { text, to } of [first, second]) {
    expect(to).toEqual(['ann@example.com'].map((one) => expect.stringMatching(new RegExp(`^${one}$`, 'i')) as string))
    expect(text.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im)
  }
  expect(mails.received.flatMap(({ to }) => to)).not.toContain('victim@example.com')
})

it('carries a stop to every channel, each once, and says who did it', async () => {
  for (const [kind, fields] of Object.entries(forms)) await add(kind, fields)
  const id = await running('Savings — größer')
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await carry()
  await carry()
  const hook = receivers.requests.find(({ path }) => path === '/hook')
  const { username } = (await ann.get('/api/user')).json<{ username: string }>()
  expect(JSON.parse(hook!.body)).toMatchObject({
    event: 'stopped',
    level: 'notice',
    subject: 'Savings — größer: stop',
    text: expect.stringMatching(new RegExp(`^Stopped: open orders.*\\(paper money\\)\nBy: ${username}\n$`, 's')),
  })
  expect(seen().sort()).toEqual([`/bot${TELEGRAM_TOKEN}/sendMessage`, '/hook', '/protected'])
  // What leaves the instance names no device and no address of the session.
  for (const { body } of receivers.requests) expect(body).not.toMatch(/signed in|127\.0\.0\.1/i)
  const ntfy = receivers.requests.find(({ path }) => path === '/protected')!
  expect(ntfy.body).toMatch(new RegExp(`\nBy: ${username}\n$`))
  const title = String(ntfy.headers['title'])
  expect(Buffer.from(title.slice('=?UTF-8?B?'.length, -2), 'base64').toString()).toBe('Savings — größer: stop')
  const mail = (await mails.next('ann@example.com')).text
  expect(mail).toContain('Stopped: open orders')
  expect(mail.trim()).toMatch(new RegExp(`By: ${username}$`))
})

it('has at most 20 channels of a user, however many are added at once', async () => {
  const answers = await Promise.all(Array.from({ length: 24 }, () => add('webhook', forms.webhook)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
  expect(errorOf(answers.find(({ statusCode }) => statusCode === 409)!)).toBe('At most 20 alert channels are allowed.')
})

it('sends alerts by e-mail to the verified address of the account alone, also when it changes', async () => {
  const stranger = await add('email', { address: 'stranger@example.com' })
  expect([stranger.statusCode, errorOf(stranger)]).toEqual([
    400,
    'Alerts go to your own verified address, Ann@example.com.',
  ])
  await add('email', forms.email)
  const { id } = await channel('email')
  const moved = await ann.put(`/api/alerts/channels/${id}`, { fields: { address: 'stranger@example.com' } })
  expect(moved.statusCode).toBe(400)
  await newcomer()
  const refusal = 'Verify your e-mail address first, under Authentication in Settings.'
  expect(errorOf(await ann.post(`/api/alerts/channels/${id}/test`))).toBe(refusal)
  await ann.post(`/api/deployment/${await running()}/control`, { action: 'stop' })
  await carry()
  expect(await channel('email')).toMatchObject({ waiting: 0, last_failure: refusal })
})

it('has a level for each event', async () => {
  await add('webhook', forms.webhook)
  const { events } = await state()
  expect(events.map(({ id, level }) => `${id} ${level}`)).toEqual([
    'outage urgent',
    'missed_run notice',
    'disagreement urgent',
    'ticker_change urgent',
    'held_order urgent',
    'limit_reached urgent',
    'stop_reached urgent',
    'stopped notice',
    'emergency_stop urgent',
    'no_heartbeat notice',
    'disk_low urgent',
    'problem notice',
  ])
  expect((await ann.put('/api/alerts/levels', { levels: { nothing: 'off' } })).statusCode).toBe(400)
  await ann.put('/api/alerts/levels', { levels: { stopped: 'off' } })
  const id = await running()
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  await ann.post(`/api/deployment/${id}/emergency-stop`)
  await carry()
  expect(receivers.requests.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
    'emergency_stop',
  ])
})

it('lists what is open, and takes who has seen it', async () => {
  const id = await running('Savings')
  await ann.post(`/api/deployment/${id}/emergency-stop`)
  await carry()
  const { alerts } = (await ann.get('/api/alerts/inbox')).json<InboxAnswer>()
  expect(alerts).toMatchObject([
    { title: 'Emergency stop', about: 'Savings', level: 'urgent', state: 'open', told: 1, acknowledged_at: null },
  ])
  expect(alerts[0]!.told_next_at).not.toBeNull()
  const path = `/api/alerts/inbox/${alerts[0]!.id}/acknowledge`
  const seen = (await ann.post(path)).json<InboxAnswer>().alerts[0]!
  const { username } = (await ann.get('/api/user')).json<{ username: string }>()
  expect(seen).toMatchObject({ acknowledged_by: username, told_next_at: null, state: 'open' })
  const stranger = await caller(live.server)
  expect((await stranger.post(path)).statusCode).toBe(404)
  expect((await stranger.get('/api/alerts/inbox')).json<InboxAnswer>().alerts).toEqual([])
  await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  await carry()
  const [over] = (await ann.post('/api/alerts/inbox/acknowledge')).json<InboxAnswer>().alerts
  expect(over).toMatchObject({ state: 'over', recovery: 'Started again after the emergency stop.' })
})

it('lets notices wait for the end of quiet hours, and urgent ones through', async () => {
  const now = live.clock.now()
  const hour = (shift: number) => new Date(now.getTime() + shift * 3_600_000).toISOString().slice(11, 16)
  const quiet_hours = { from: hour(-1), to: hour(1), time_zone: 'UTC' }
  await add('webhook', forms.webhook, { quiet_hours })
  const id = await running()
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  await ann.post(`/api/deployment/${id}/emergency-stop`)
  await carry()
  expect(receivers.requests).toHaveLength(1)
  expect((await channel('webhook')).waiting).toBe(1)
  const due = await sql<{ minutes: number }>`
    SELECT extract(epoch FROM due_at - clock_timestamp())::int / 60 AS minutes FROM deployment_messages
    WHERE state = 'waiting' AND attempts = 0 AND channel_id = ${(await channel('webhook')).id}`.execute(
    live.server.database.database,
  )
  expect(due.rows[0]!.minutes).toBeGreaterThan(55)
  // Without quiet hours it goes out.
  await ann.put(`/api/alerts/channels/${(await channel('webhook')).id}`, {})
  await sql`UPDATE deployment_messages SET due_at = clock_timestamp()`.execute(live.server.database.database)
  await carry()
  expect(receivers.requests).toHaveLength(2)
})

it('is tried again when the receiver fails, and waits as long as it asks', async () => {
  await add('webhook', forms.webhook)
  await add('telegram', { ...forms.telegram, chat_id: '429' })
  receivers.misbehave('internal-error', { times: 1, when: ({ path }) => path === '/hook' })
  const id = await running()
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await carry()
  expect(await channel('webhook')).toMatchObject({ waiting: 1, last_failure: expect.stringContaining('HTTP 500') })
  const { rows } = await sql<{ seconds: number }>`
    SELECT round(extract(epoch FROM due_at - clock_timestamp()))::int AS seconds FROM deployment_messages
    WHERE channel_id = ${(await channel('telegram')).id}`.execute(live.server.database.database)
  expect(rows[0]!.seconds).toBeGreaterThan(30)
  await sql`UPDATE deployment_messages SET due_at = clock_timestamp() WHERE channel_id = ${(await channel('webhook')).id}`.execute(
    live.server.database.database,
  )
  await carry()
  expect(await channel('webhook')).toMatchObject({ waiting: 0, last_failure: null })
})

it('tells of missed runs once, and the heartbeat falls silent until a run is decided', async () => {
  await add('webhook', forms.webhook)
  await ann.put('/api/alerts/heartbeat', { url: `${receivers.url}/ping/ann`, minutes: 1 })
  const pings = () => seen().filter((path) => path === '/ping/ann').length
  const due = () =>
    sql`UPDATE alert_settings SET heartbeat_due_at = clock_timestamp()`.execute(live.server.database.database)
  const id = await running()
  await live.work(1)
  await beat()
  await beat()
  expect(pings()).toBe(1)
  expect((await state()).heartbeat).toMatchObject({ host: new URL(receivers.url).host, problem: null })

  // The program sleeps over the run of the day.
  live.toDecision()
  live.clock.advance(26 * 60_000 * 60)
  await live.work(2)
  await due()
  await beat()
  await carry()
  expect(pings()).toBe(1)
  expect((await state()).heartbeat.problem).toContain('Live one: its last run was missed.')
  const told = receivers.requests
    .filter(({ path }) => path === '/hook')
    .map(({ body }) => JSON.parse(body) as { event: string; subject: string; text: string })
    // Alerts of other tests are told again by now.
    .filter(({ subject }) => subject.startsWith('Live one: missed'))
  expect(told.map(({ event }) => event)).toEqual(['missed_run'])
  expect(told[0]!.text).toMatch(/By: schedule/)

  live.toDecision()
  await live.work(4)
  await due()
  await beat()
  expect((await state()).heartbeat.problem).toBeNull()
  const called = pings()
  expect(called).toBeGreaterThan(1)

  await ann.post(`/api/deployment/${id}/emergency-stop`)
  await due()
  await beat()
  expect(pings()).toBe(called)
  expect((await state()).heartbeat.problem).toContain('stopped by the emergency stop')
  await ann.put('/api/alerts/heartbeat', { url: '' })
  expect((await state()).heartbeat).toMatchObject({ is_on: false, host: null })
})

it('the heartbeat falls silent for every kind of trouble, and says which', async () => {
  const { database } = live.server.database
  await ann.put('/api/alerts/heartbeat', { url: `${receivers.url}/ping/ann`, minutes: 1 })
  const id = await running()
  await live.work(2)
  const pings = () => seen().filter((path) => path === '/ping/ann').length
  const problem = async () => {
    await sql`UPDATE alert_settings SET heartbeat_due_at = clock_timestamp() WHERE user_id = ${ann.id}`.execute(
      database,
    )
    await beat()
    return (await state()).heartbeat.problem
  }
  expect(await problem()).toBeNull()
  const called = pings()
  expect(called).toBe(1)
  const soon = new Date(live.clock.now().getTime() + 60_000)
  const late = new Date(live.clock.now().getTime() - 31 * 60_000)
  const troubles = [
    [
      'books and broker disagree.',
      () => ofBooks({ disagreement: 'They differ.' }),
      () => ofBooks({ disagreement: null }),
    ],
    [
      'There is no data for SPY.',
      () => own({ health_problem: 'There is no data for SPY.' }),
      () => own({ health_problem: null }),
    ],
    ['its run is overdue.', () => own({ next_run_at: late }), () => own({ next_run_at: soon })],
    ['no process is running it.', () => lease('- interval'), () => lease('+ interval')],
    [
      'its books were not compared with the broker for minutes.',
      () => ofBooks({ compared_at: late }),
      () => ofBooks({ compared_at: live.clock.now() }),
    ],
  ] as const
  for (const [sentence, begin, end] of troubles) {
    await begin()
    expect(await problem()).toBe(`Not called: Live one: ${sentence}`)
    await end()
  }
  expect(pings()).toBe(called)
  expect(await problem()).toBeNull()
  expect(pings()).toBe(called + 1)
  // An address that does not answer is told, and called again.
  receivers.misbehave('down', { when: ({ path }) => path === '/ping/ann' })
  expect(await problem()).toMatch(/^Not answered: /)
  receivers.behave()
  expect(await problem()).toBeNull()

  function own(columns: { health_problem?: string | null; next_run_at?: Date }) {
    return database.updateTable('deployments').set(columns).where('id', '=', id).execute()
  }
  function ofBooks(columns: { disagreement?: string | null; compared_at?: Date }) {
    return database.updateTable('account_books').set(columns).where('user_id', '=', ann.id).execute()
  }
  function lease(direction: '+ interval' | '- interval') {
    return sql`UPDATE deployment_leases SET expires_at = clock_timestamp() ${sql.raw(direction)} '1 hour'
      WHERE deployment_id = ${id}`.execute(database)
  }
})

it.each(['slow', 'down', 'html', 'broken'] as const)(
  'a receiver that is %s delays no other channel for good',
  async (fault) => {
    await add('webhook', forms.webhook)
    await add('ntfy', { ...forms.ntfy, topic: 'free' })
    receivers.misbehave(fault, { when: ({ path }) => path === '/hook' })
    const id = await running()
    await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
    // Its receiver has a second instead of fifteen.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 15_000 ? 1_000 : ms))
    onTestFinished(() => shortened.mockRestore())
    await carry()
    expect(await channel('ntfy')).toMatchObject({ waiting: 0, last_failure: null })
    // A page with status 200 has taken it, whatever the page says.
    expect((await channel('webhook')).waiting).toBe(fault === 'html' ? 0 : 1)
  },
)

const deliveries = async (kind: string) =>
  (await ann.get(`/api/alerts/channels/${(await channel(kind)).id}/deliveries`)).json<{ deliveries: AlertDelivery[] }>()
    .deliveries
const sentEvents = () =>
  receivers.requests
    .filter(({ path }) => path === '/hook')
    .map(({ body }) => JSON.parse(body) as { id: string; event: string; data?: Record<string, unknown> })

it('tells a webhook of the events that it asks for, each once, with typed content', async () => {
  const events = ['deployment.decided', 'order.filled', 'deployment.stopped', 'proposal.made', 'backtest.finished']
  expect((await add('webhook', forms.webhook, { events })).statusCode).toBe(200)
  await ann.put('/api/alerts/levels', { levels: { stopped: 'off' } })
  const id = await running('Told')
  live.toDecision()
  await live.work(6)
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  await carry()
  await carry()
  const sent = sentEvents().filter(({ data }) => data?.['deployment_id'] === id)
  expect(new Set(sent.map((one) => one.id)).size).toBe(sent.length)
  const of = (event: string) => sent.filter((one) => one.event === event)
  expect(of('deployment.decided')).toHaveLength(1)
  expect(of('deployment.decided')[0]!.data).toMatchObject({
    deployment_id: id,
    deployment_name: 'Told',
    signal: 'Allocation',
    probability: null,
    weights: expect.any(Object),
  })
  expect(of('order.filled').length).toBeGreaterThan(0)
  expect(of('order.filled')[0]!.data).toMatchObject({ deployment_id: id, side: 'buy', quantity: expect.any(String) })
  expect(of('deployment.stopped').map(({ data }) => data)).toEqual([
    { deployment_id: id, deployment_name: 'Told', by: expect.any(String), is_emergency: false },
  ])
  // It outlives its deployment, and the log says what became of it.
  await ann.delete(`/api/deployment/${id}`)
  expect((await deliveries('webhook')).every(({ state, attempts }) => state === 'sent' && attempts === 1)).toBe(true)
  expect((await deliveries('webhook')).length).toBe(sent.length)
})

it('refuses events that there are not, and events for other kinds of channels', async () => {
  const unknown = await add('webhook', forms.webhook, { events: ['moon.landed'] })
  expect([unknown.statusCode, errorOf(unknown)]).toEqual([400, 'There is no such event.'])
  const mail = await add('email', forms.email, { events: ['order.filled'] })
  expect([mail.statusCode, errorOf(mail)]).toEqual([400, 'Only webhooks can receive events in addition to alerts.'])
})

it('sends an example of an event as its test, marked as one', async () => {
  await add('webhook', forms.webhook, { events: ['order.filled'] })
  const { id } = await channel('webhook')
  expect((await ann.post(`/api/alerts/channels/${id}/test?event=order.filled`)).statusCode).toBe(200)
  expect((await ann.post(`/api/alerts/channels/${id}/test?event=moon.landed`)).statusCode).toBe(400)
  expect(sentEvents()).toMatchObject([{ event: 'order.filled', data: { ticker: 'SPY', is_test: true } }])
  expect(receivers.requests[0]!.headers).toMatchObject({ 'x-tradewright-event': 'order.filled' })
})

it('gives an event up after its tries, says why, and sends it again when asked', async () => {
  await add('webhook', forms.webhook, { events: ['deployment.stopped'] })
  await ann.put('/api/alerts/levels', { levels: { stopped: 'off' } })
  receivers.misbehave('internal-error', { when: ({ path }) => path === '/hook' })
  const id = await running()
  await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  for (let attempt = 0; attempt < 9; attempt++) {
    await sql`UPDATE deployment_messages SET due_at = clock_timestamp()`.execute(live.server.database.database)
    await carry()
  }
  const [lost] = await deliveries('webhook')
  expect(lost).toMatchObject({ state: 'given_up', attempts: 9, failure: expect.stringContaining('HTTP 500') })
  const hook = await channel('webhook')
  receivers.behave()
  const stranger = await caller(live.server)
  const path = `/api/alerts/channels/${hook.id}/deliveries/${lost!.id}/send`
  expect((await stranger.post(path)).statusCode).toBe(404)
  expect((await ann.post(path)).statusCode).toBe(200)
  expect((await ann.post(path)).statusCode).toBe(404)
  await carry()
  expect((await deliveries('webhook'))[0]).toMatchObject({ state: 'sent', failure: null })
  // A receiver that refuses at once could be flooded so.
  await sql`UPDATE attempt_counters SET attempts = 100 WHERE subject LIKE 'messages-again:%'`.execute(
    live.server.database.database,
  )
  expect((await ann.post(path)).statusCode).toBe(429)
})

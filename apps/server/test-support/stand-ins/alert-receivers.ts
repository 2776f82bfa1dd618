import { createHmac } from 'node:crypto'
import { type StandIn, startStandIn, type StandInAnswer, type StandInRequest } from './stand-in.ts'

export const TELEGRAM_TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'
export const WEBHOOK_SECRET = 'a webhook secret of the user'
export const NTFY_TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'

const json = (body: object, status = 200): StandInAnswer => ({ status, body })

/** ntfy, the Telegram Bot API, a webhook and a heartbeat service on one loopback address, each in its documented bytes. */
export const startAlertReceivers = (): Promise<StandIn> =>
  startStandIn('alerts', (request) => {
    if (request.path.startsWith('/bot')) return telegram(request)
    if (request.path === '/hook') return webhook(request)
    if (request.path.startsWith('/ping/')) return { body: 'OK' }
    return ntfy(request)
  })

/** https://core.telegram.org/bots/api#making-requests */
function telegram({ method, path, body }: StandInRequest): StandInAnswer {
  if (path !== `/bot${TELEGRAM_TOKEN}/sendMessage`)
    return json({ ok: false, error_code: 401, description: 'Unauthorized' }, 401)
  const { chat_id, text } = JSON.parse(body) as { chat_id?: string; text?: string }
  if (method !== 'POST' || !text)
    return json({ ok: false, error_code: 400, description: 'Bad Request: message text is empty' }, 400)
  if (chat_id === '404') return json({ ok: false, error_code: 400, description: 'Bad Request: chat not found' }, 400)
  if (chat_id === '429')
    return json(
      { ok: false, error_code: 429, description: 'Too Many Requests: retry after 40', parameters: { retry_after: 40 } },
      429,
    )
  return json({ ok: true, result: { message_id: 1, date: 1_700_000_000, chat: { id: Number(chat_id) }, text } })
}

/** https://docs.ntfy.sh/publish: one topic is protected by a token. */
function ntfy({ method, path, headers, body }: StandInRequest): StandInAnswer {
  const topic = path.slice(1)
  if (method !== 'POST' || !/^[-_A-Za-z0-9]{1,64}$/.test(topic))
    return json({ code: 40401, http: 404, error: 'page not found' }, 404)
  if (topic === 'protected' && headers.authorization !== `Bearer ${NTFY_TOKEN}`)
    return json(
      { code: 40301, http: 403, error: 'forbidden', link: 'https://ntfy.sh/docs/publish/#authentication' },
      403,
    )
  const { title, priority, tags } = headers
  return json({
    id: 'hwQ2YpKdmg',
    time: 1_700_000_000,
    event: 'message',
    topic,
    title,
    priority: Number(priority),
    tags,
    message: body,
  })
}

function webhook({ headers, body }: StandInRequest): StandInAnswer {
  const signed = `${String(headers['x-tradewright-timestamp'])}.${body}`
  const expected = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(signed).digest('hex')}`
  return headers['x-tradewright-signature'] === expected
    ? json({ received: true })
    : json({ error: 'bad signature' }, 401)
}

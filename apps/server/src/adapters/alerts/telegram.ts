import type { ChannelKind } from '../../alerts/channel.ts'
import { httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { HttpFailure } from '../http/http-failure.ts'

/** Telegram refuses longer texts. */
const MAX_LENGTH = 4096

/** https://core.telegram.org/bots/api#sendmessage. `baseUrl` is the operator's. */
export const telegramChannel = (baseUrl: string, http: HttpSurroundings): ChannelKind => ({
  id: 'telegram',
  label: 'Telegram',
  hint: 'Messages from your own Telegram bot, which you create with @BotFather.',
  fields: [
    {
      name: 'token',
      label: 'Bot token',
      placeholder: '123456:ABC-DEF…',
      isSecret: true,
      check: (text) =>
        /^\d{1,20}:[\w-]{20,100}$/.test(text)
          ? undefined
          : 'A bot token looks like 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11.',
    },
    {
      name: 'chat_id',
      label: 'Chat id',
      hint: 'A number, or @name of a channel. Send the bot a message first, or it cannot write to you.',
      isSecret: false,
      check: (text) =>
        /^(-?\d{1,20}|@\w{4,64})$/.test(text) ? undefined : 'A chat id is a number, or @name of a channel.',
    },
  ],
  targetOf: ({ chat_id }) => `chat ${chat_id}`,
  async send({ token, chat_id }, { subject, text, level }, signal) {
    const client = httpClient(
      { service: 'telegram', baseUrl, secrets: [token!], retry: { attempts: 1 }, maxBytes: 1024 * 1024 },
      http,
    )
    const json = {
      chat_id,
      text: `${subject}\n\n${text}`.slice(0, MAX_LENGTH),
      disable_notification: level !== 'urgent',
    }
    try {
      const answer = await client.json({ method: 'POST', path: `/bot${token}/sendMessage`, json, signal })
      if ((answer as { ok?: unknown } | null)?.ok !== true) throw new HttpFailure('malformed', 'it did not confirm')
    } catch (error) {
      throw error instanceof HttpFailure ? inTelegramsWords(error) : error
    }
  },
})

/** Errors carry a description, and limits say how long to wait. */
function inTelegramsWords(failure: HttpFailure): HttpFailure {
  const said = answerOf(failure.body)
  const details = {
    ...(failure.status !== undefined && { status: failure.status }),
    retryAfterSeconds: said.parameters?.retry_after ?? failure.retryAfterSeconds,
    cause: failure,
  }
  const reason = said.description ? `Telegram said “${plainLine(said.description)}”` : failure.message
  return new HttpFailure(failure.kind, reason, details)
}

const plainLine = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 200)

interface TelegramError {
  readonly description?: string
  readonly parameters?: { readonly retry_after?: number }
}

function answerOf(body: string): TelegramError {
  try {
    const { description, parameters } = JSON.parse(body) as {
      description?: unknown
      parameters?: { retry_after?: unknown }
    }
    const seconds = parameters?.retry_after
    return {
      ...(typeof description === 'string' && { description }),
      ...(typeof seconds === 'number' && { parameters: { retry_after: seconds } }),
    }
  } catch {
    return {}
  }
}

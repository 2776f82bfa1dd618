import { createHmac } from 'node:crypto'
import type { ChannelKind } from '../../alerts/channel.ts'
import type { UserAddresses } from './user-address.ts'

/** JSON, signed: the receiver computes HMAC-SHA256 of `timestamp.body` with the secret and compares. */
export const webhookChannel = (addresses: UserAddresses): ChannelKind => ({
  id: 'webhook',
  label: 'Webhook',
  hint: 'JSON sent by POST to your own address, signed with a secret.',
  carriesEvents: true,
  fields: [
    {
      name: 'url',
      label: 'Address',
      placeholder: 'https://example.com/hooks/tradewright',
      isSecret: true,
      check: (text) => addresses.check(text),
    },
    {
      name: 'secret',
      label: 'Signing secret',
      hint: 'At least 16 characters. Each call is signed with an HMAC of it.',
      isSecret: true,
      check: (text) => (text.length < 16 ? 'The signing secret must have at least 16 characters.' : undefined),
    },
  ],
  targetOf: ({ url }) => new URL(url!).host,
  async send({ url, secret }, { id, event, level, subject, text, at, data }, signal) {
    const about = { subject, text, at: at.toISOString() }
    const json = data ? { id, event, ...about, data } : { id, event, level, ...about }
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', secret!)
      .update(`${timestamp}.${JSON.stringify(json)}`)
      .digest('hex')
    const headers = {
      'x-tradewright-event': event,
      'x-tradewright-delivery': id,
      'x-tradewright-timestamp': timestamp,
      'x-tradewright-signature': `sha256=${signature}`,
    }
    await addresses.call(url!, { method: 'POST', json, headers, signal }, [secret!])
  },
})

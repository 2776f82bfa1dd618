import type { Alert, ChannelKind } from '../../alerts/channel.ts'
import type { UserAddresses } from './user-address.ts'

/** ntfy's scale from 1 to 5; 3 is its default, 5 rings through "do not disturb". */
const PRIORITY = { notice: '3', urgent: '5' } as const satisfies Record<Alert['level'], string>
/** Names of emojis, which ntfy shows in front of the title. */
const TAGS = { notice: 'information_source', urgent: 'rotating_light' } as const satisfies Record<
  Alert['level'],
  string
>

/** https://docs.ntfy.sh/publish: a POST to the topic, the message as the body, the rest in headers. */
export const ntfyChannel = (addresses: UserAddresses): ChannelKind => ({
  id: 'ntfy',
  label: 'ntfy',
  hint: 'Push notifications to the ntfy app, through ntfy.sh or your own server.',
  fields: [
    {
      name: 'server',
      label: 'Server',
      placeholder: 'https://ntfy.sh',
      isSecret: false,
      receivesSecrets: true,
      check: (text) =>
        addresses.check(text) ??
        (new URL(text).search ? 'The server address must not have a query string.' : undefined),
    },
    {
      name: 'topic',
      label: 'Topic',
      hint: 'On ntfy.sh anyone who knows the topic can read it: choose one that cannot be guessed.',
      isSecret: true,
      check: (text) =>
        /^[-_A-Za-z0-9]{1,64}$/.test(text) ? undefined : 'A topic has up to 64 letters, digits, - and _.',
    },
    {
      name: 'token',
      label: 'Access token',
      hint: 'Only for topics that require one.',
      isSecret: true,
      isOptional: true,
      check: (text) =>
        /^[\x21-\x7e]{1,200}$/.test(text) ? undefined : 'The access token contains invalid characters.',
    },
  ],
  targetOf: ({ server }) => new URL(server!).host,
  async send({ server, topic, token }, { level, subject, text }, signal) {
    const headers = {
      title: headerText(subject),
      priority: PRIORITY[level],
      tags: TAGS[level],
      'content-type': 'text/plain; charset=utf-8',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const address = `${server!.replace(/\/+$/, '')}/${topic}`
    await addresses.call(address, { method: 'POST', text, headers, signal }, [topic!, token ?? ''])
  },
})

/** Headers hold ASCII; ntfy reads RFC 2047 for the rest. */
const headerText = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

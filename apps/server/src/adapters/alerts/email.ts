import { Problem } from '@tradewright/core/problem'
import type { ChannelKind } from '../../alerts/channel.ts'
import { usernameKey } from '../../auth/username-key.ts'
import { AddressRefused, type Mailer } from '../../live-trading/notifications/notifications.ts'
import { reasonOf } from '../smtp/mailer.ts'

/** The e-mail address of a user that a link in a mail, or Google, has proven; undefined where there is none. */
type VerifiedAddressOf = (userId: number) => Promise<string | undefined>

export const emailChannel = (mailer: Mailer, verifiedAddressOf: VerifiedAddressOf): ChannelKind => ({
  id: 'email',
  label: 'E-mail',
  hint: 'Sent to the verified e-mail address of your account, through this instance’s mail server.',
  fields: [
    {
      name: 'address',
      label: 'E-mail address',
      placeholder: 'name@example.com',
      isSecret: false,
      check: (text) =>
        /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,255}$/.test(text)
          ? undefined
          : 'Please enter an address like name@example.com.',
    },
  ],
  unavailable: mailer.isConfigured ? undefined : 'E-mail is not configured on this server (SMTP_URL).',
  async refusal(userId, { address }) {
    const own = await verifiedAddressOf(userId)
    if (own === undefined) return 'Verify your e-mail address first, under Authentication in Settings.'
    return usernameKey(address!) === usernameKey(own) ? undefined : `Alerts go to your own verified address, ${own}.`
  },
  targetOf: ({ address }) => address!,
  async send({ address }, { subject, text, event }) {
    try {
      await mailer.send({ to: address!, subject, text, event })
    } catch (error) {
      if (error instanceof Problem) throw error
      // The reason is shown to the user, who need not know the operator's mail server.
      const Failure = error instanceof AddressRefused ? AddressRefused : Error
      throw new Failure(reasonOf(error), { cause: error })
    }
  },
})

import { Problem } from '@tradewright/core/problem'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Passkey, PasskeyOptions, Passkeys } from '../../auth/second-factor.ts'

/** Loaded when the first passkey is made or used: few accounts have one, and it brings readers of certificates along. */
const webauthn = () => import('@simplewebauthn/server')

/** A person is present and the key is there; a PIN or finger beside the password is the user's own choice. */
const VERIFICATION = 'preferred'

export const passkeys: Passkeys = {
  async optionsToMake(site, user, existing) {
    const { generateRegistrationOptions } = await webauthn()
    const options = await generateRegistrationOptions({
      rpName: 'Tradewright',
      rpID: site.domain,
      userName: user.username,
      userID: Uint8Array.from(Buffer.from(`user ${user.id}`)),
      attestationType: 'none',
      excludeCredentials: existing.map(described),
      authenticatorSelection: { residentKey: 'discouraged', userVerification: VERIFICATION },
    })
    return { ...options } satisfies PasskeyOptions
  },

  async made(site, challenge, response) {
    const { verifyRegistrationResponse } = await webauthn()
    try {
      const { registrationInfo } = await verifyRegistrationResponse({
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the call's schema has checked its shape
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.domain,
        requireUserVerification: false,
      })
      if (!registrationInfo) throw new Error('not verified')
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey),
        signCount: counter,
        transports: [...transports],
        domain: site.domain,
      }
    } catch (cause) {
      throw new Problem('invalid', 'passkey.invalid', 'The passkey could not be verified. Please try again.', { cause })
    }
  },

  async optionsToUse(site, existing) {
    const { generateAuthenticationOptions } = await webauthn()
    const options = await generateAuthenticationOptions({
      rpID: site.domain,
      allowCredentials: existing.map(described),
      userVerification: VERIFICATION,
    })
    return { ...options }
  },

  async used(site, challenge, key, response) {
    const { verifyAuthenticationResponse } = await webauthn()
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the call's schema has checked its shape
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.domain,
        credential: { id: key.credentialId, publicKey: Uint8Array.from(key.publicKey), counter: key.signCount },
        requireUserVerification: false,
      })
      return verified ? authenticationInfo.newCounter : undefined
    } catch {
      // A signature of another key, page or challenge, or a counter that went back: all of them are a wrong proof.
      return undefined
    }
  },
}

const described = ({ credentialId, transports }: Pick<Passkey, 'credentialId' | 'transports'>) => ({
  id: credentialId,
  transports: [...transports],
})

import type { Clock } from '@tradewright/core/clock'
import { deviceOf } from './device.ts'
import { network } from './network.ts'
import type { KnownPlaceStore } from './ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from './secret.ts'
import type { AttemptOrigin } from './throttle.ts'

/** Devices and networks that are not used for this long are forgotten. */
export const PLACE_RETENTION_DAYS = 400

/** A browser's device cookie, its network and its name, as far as a request tells. */
export interface Place {
  address: string
  userAgent: string
  /** The secret of the device cookie, if the browser has one. */
  device: string | undefined
}

export interface KnownPlacesDeps {
  places: KnownPlaceStore
  clock: Clock
}

/** Where an attempt on an account comes from. Without an account (null) nothing is known. */
export async function originOf(
  { places }: Pick<KnownPlacesDeps, 'places'>,
  userId: number | null,
  { address, device }: Pick<Place, 'address' | 'device'>,
): Promise<AttemptOrigin> {
  const deviceKey = looksLikeSecret(device) ? deviceHash(device) : undefined
  const networkKey = networkHash(address)
  const known = userId === null ? [] : await places.known(userId, deviceKey ? [deviceKey, networkKey] : [networkKey])
  if (deviceKey && known.some((hash) => hash.equals(deviceKey))) {
    return { kind: 'device', device: deviceKey.toString('base64url') }
  }
  return { kind: 'network', address, isKnown: known.length > 0 }
}

/**
 * After a success: the browser and its network are the account's. Answers the secret for the device cookie, and whether
 * the account was never signed in to from here: a program that keeps no cookie is known by its name and network.
 */
export async function rememberPlace(
  { places, clock }: KnownPlacesDeps,
  userId: number,
  { address, device, userAgent }: Place,
): Promise<{ secret: string; isNew: boolean }> {
  const secret = looksLikeSecret(device) ? device : newSecret()
  const program = programHash(address, userAgent)
  const known = await places.known(userId, [deviceHash(secret), program])
  await places.remember(userId, [deviceHash(secret), networkHash(address), program], clock.now())
  return { secret, isNew: known.length === 0 }
}

/** Forgets places after "sign out everywhere" or a new password: only the browser that asks stays known. */
export const forgetOtherPlaces = (places: KnownPlaceStore, userId: number, device: string | undefined): Promise<void> =>
  places.forget(userId, looksLikeSecret(device) ? deviceHash(device) : undefined)

const deviceHash = (secret: string): Buffer => hashSecret(`device ${secret}`)
const programHash = (address: string, userAgent: string): Buffer =>
  hashSecret(`program ${deviceOf(userAgent)} ${network(address)}`)
export const networkHash = (address: string): Buffer => hashSecret(`network ${network(address)}`)

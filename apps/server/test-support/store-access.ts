import { addressGuard } from '../src/adapters/http/address-guard.ts'
import { type StoreAccess, type StoreLimits, storeLimits } from '../src/stores/series/store-access.ts'

/** As an operator with ALLOW_PRIVATE_STORES has it: stores of tests are on loopback. */
export const loopbackAccess = (limits: Partial<StoreLimits> = {}): StoreAccess => ({
  guard: addressGuard({ isAllowed: () => true }),
  allowAmbientCredentials: false,
  limits: { ...storeLimits, ...limits },
})

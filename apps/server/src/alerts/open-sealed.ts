import type { Seal, SealedPlace } from '../secrets/seal.ts'

/** Undefined where the stored bytes cannot be opened: their owner has to enter them again. */
export function openSealed(seal: Seal, place: SealedPlace, sealed: Buffer): string | undefined {
  try {
    return seal.open(place, sealed)
  } catch {
    return undefined
  }
}

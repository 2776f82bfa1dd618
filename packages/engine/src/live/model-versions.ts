import type { UtcMillis } from '@tradewright/core/time'
import type { Model } from '../models/model.ts'

/** One of the models that a deployment has decided by, one after the other. */
export interface ModelVersion {
  /** Counted from 1. */
  readonly version: number
  /** It decides on bars with a later stamp; null: on all. */
  readonly after: UtcMillis | null
  readonly load: () => Model
}

/**
 * The version that decides on a bar: the newest whose bars have begun. Bars before all of them are the first one's, as in
 * a replay that begins before the deployment did. Versions are in their order, oldest first.
 */
export function versionAt<Version extends Pick<ModelVersion, 'after'>>(
  versions: readonly Version[],
  bar: UtcMillis,
): Version | undefined {
  return versions.findLast(({ after }) => after === null || after < bar) ?? versions[0]
}

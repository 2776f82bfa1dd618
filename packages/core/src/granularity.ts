import { DAY, HOUR, MINUTE } from './time.ts'

/** The Data Collector's words, used everywhere inside. */
export type Granularity = '1m' | '5m' | '15m' | '30m' | '1h' | '1d'

/** The Studio's and the deployments' words. The Collector's 30m has none. */
type StudioGranularity = 'daily' | 'hourly' | '15minute' | '5minute' | 'minute'

interface GranularityFacts {
  readonly millis: number
  readonly studio: StudioGranularity | undefined
}

/** The one table that knows both vocabularies. */
const GRANULARITIES = {
  '1m': { millis: MINUTE, studio: 'minute' },
  '5m': { millis: 5 * MINUTE, studio: '5minute' },
  '15m': { millis: 15 * MINUTE, studio: '15minute' },
  '30m': { millis: 30 * MINUTE, studio: undefined },
  '1h': { millis: HOUR, studio: 'hourly' },
  '1d': { millis: DAY, studio: 'daily' },
} as const satisfies Record<Granularity, GranularityFacts>

export const granularities: readonly Granularity[] = ['1m', '5m', '15m', '30m', '1h', '1d']

export const studioGranularities: readonly StudioGranularity[] = ['daily', 'hourly', '15minute', '5minute', 'minute']

export const granularityMillis = (granularity: Granularity): number => GRANULARITIES[granularity].millis

export const isIntraday = (granularity: Granularity): boolean => granularity !== '1d'

/** Reads either vocabulary; undefined for a word of neither. */
export function parseGranularity(word: string): Granularity | undefined {
  return granularities.find((granularity) => granularity === word || GRANULARITIES[granularity].studio === word)
}

/** The Studio's word, or undefined for 30m, which the Studio does not offer. */
export const toStudioGranularity = (granularity: Granularity): StudioGranularity | undefined =>
  GRANULARITIES[granularity].studio

import type { Clock } from '@tradewright/core/clock'

export const systemClock: Clock = { now: () => new Date() }

import type { Deployment } from '@tradewright/contract/live-trading-fields'

interface Allowed {
  /** The one change that is offered first. */
  next: 'start' | 'pause' | 'resume'
  canStop: boolean
  canDelete: boolean
}

/** The actions of a card in each state; the server decides, and refuses what it does not allow. */
export const ALLOWED: Record<Deployment['status'], Allowed> = {
  created: { next: 'start', canStop: false, canDelete: true },
  running: { next: 'pause', canStop: true, canDelete: false },
  paused: { next: 'resume', canStop: true, canDelete: false },
  stopped: { next: 'start', canStop: false, canDelete: true },
}

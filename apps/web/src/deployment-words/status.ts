import type { Deployment } from '@tradewright/contract/live-trading-fields'
import type { StatusShape } from '../ui/feedback/status-pill.tsx'

const STATUS: Record<Deployment['status'], { shape: StatusShape; word: string }> = {
  created: { shape: 'ring', word: 'Created' },
  running: { shape: 'disc', word: 'Running' },
  paused: { shape: 'bars', word: 'Paused' },
  stopped: { shape: 'square', word: 'Stopped' },
}

/** A stopped deployment may still be selling what it holds. */
export const statusOf = ({ status, liquidating }: Deployment): { shape: StatusShape; word: string } =>
  liquidating ? { shape: 'bars', word: 'Selling everything' } : STATUS[status]

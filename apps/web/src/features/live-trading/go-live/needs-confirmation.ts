import type { Deployment } from '@tradewright/contract/live-trading-fields'

/** Whether real money trades from then on. */
export const needsConfirmation = (
  { paper_trading }: Deployment,
  action: 'start' | 'pause' | 'resume',
): action is 'start' | 'resume' => !paper_trading && action !== 'pause'

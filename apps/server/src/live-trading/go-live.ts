import { Problem } from '@tradewright/core/problem'

interface GoingLive {
  readonly name: string
  readonly isPaper: boolean
}

/** Orders with real money need the deployment's name, typed by the user who starts them. */
export function assertConfirmed({ name, isPaper }: GoingLive, confirmation: string | undefined): void {
  if (isPaper || confirmation?.trim() === name) return
  const sentence = `“${name}” trades real money. Type its name to confirm (confirmation: the deployment's name).`
  throw new Problem('invalid', 'deployment.confirmation', sentence)
}

import type { Route } from '@tradewright/contract/route'

const CHANNEL = 'tradewright changes'

let channel: BroadcastChannel | undefined

/** One channel for telling and hearing: a tab does not hear itself. Undefined where the browser has none. */
function open(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  channel ??= new BroadcastChannel(CHANNEL)
  return channel
}

/** Tells the browser's other tabs that a call may have changed what they show. */
export function announceChange({
  method,
  access,
  changesNothing,
}: Pick<Route, 'method' | 'access' | 'changesNothing'>) {
  if (method !== 'GET' && access !== 'anyone' && !changesNothing) open()?.postMessage('changed')
}

export function onChangeElsewhere(listener: () => void): () => void {
  const heard = open()
  heard?.addEventListener('message', listener)
  return () => heard?.removeEventListener('message', listener)
}

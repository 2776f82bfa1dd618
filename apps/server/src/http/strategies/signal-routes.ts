import * as contract from '@tradewright/contract/external-signals'
import { targetName } from '@tradewright/core/external-signal'
import type { FastifyRequest } from 'fastify'
import {
  createAddress,
  receiveSignal,
  removeAddress,
  type SignalDeps,
  signalsOf,
  type SignalEntry,
} from '../../external-signals/own-signals.ts'
import { signedBody } from '../server/security/signed-body.ts'
import type { Handle } from '../server/handle.ts'

const success = true as const

export function serveSignals(handle: Handle, deps: SignalDeps): void {
  handle(contract.getSignals, async ({ user, params }) => {
    const { address, entries, accepted, current } = await signalsOf(deps, user.id, params.id)
    return {
      success,
      has_address: address !== undefined,
      address_created_at: address?.createdAt.toISOString() ?? null,
      accepted,
      current,
      entries: entries.map(entryToWire),
    }
  })
  handle(contract.createSignalAddress, async ({ user, params }) => {
    const { address, secret } = await createAddress(deps, user.id, params.id)
    return { success, path: `${contract.SIGNALS_PATH}${address}`, secret }
  })
  handle(contract.deleteSignalAddress, async ({ user, params }) => {
    await removeAddress(deps, user.id, params.id)
    return { success }
  })
  handle(contract.receiveSignal, async ({ params, body, request }) => {
    const { id, doubled, target } = await receiveSignal(deps, {
      address: params.address,
      rawBody: signedBody(request),
      timestamp: header(request, 'x-tradewright-timestamp'),
      signature: header(request, 'x-tradewright-signature'),
      body,
    })
    const message = doubled
      ? 'This signal had already been received; nothing was done twice.'
      : `The signal was accepted: ${targetName(target)}. It counts from the next decision on.`
    return { success, message, id, doubled }
  })
}

const header = ({ headers }: FastifyRequest, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const entryToWire = ({ id, receivedAt, outcome, reason, eventId, target }: SignalEntry): contract.SignalEntry => ({
  id,
  received_at: receivedAt.toISOString(),
  outcome,
  reason,
  event_id: eventId,
  target: target && targetName(target),
})

import * as contract from '@tradewright/contract/shared-results'
import type { ResultLink } from '../../backtests/ports.ts'
import {
  countView,
  createLink,
  isShared,
  ownLinks,
  type ResultLinkDeps,
  revokeLink,
  sharedResult,
} from '../../backtests/result-links.ts'
import { network } from '../../auth/network.ts'
import type { Handle } from '../server/handle.ts'
import { readingPlaces } from '../server/reading-places.ts'
import { turnsPerUser } from '../server/turns.ts'
import { toWire as resultToWire } from './wire.ts'

/** A result may have tens of megabytes, and visitors need no account. */
const VIEWS_AT_ONCE = { each: 4, all: 8 }

/** They are made one after another, and one that waits in the database would hold a connection. */
const LINKS_WAITING = 20

export function serveResultLinks(handle: Handle, deps: ResultLinkDeps): void {
  const takePlace = readingPlaces(VIEWS_AT_ONCE)
  const turns = turnsPerUser(LINKS_WAITING)
  handle(contract.listResultLinks, async ({ user }) => ({ links: (await ownLinks(deps, user.id)).map(linkToWire) }))
  handle(contract.createResultLink, async ({ user, params, body }) => {
    const { link, token } = await turns(user.id, () => createLink(deps, user.id, params.id, body.days))
    return { link: linkToWire(link), token }
  })
  handle(contract.revokeResultLink, async ({ user, params }) => {
    await revokeLink(deps, user.id, params.id)
    return { success: true as const }
  })
  handle(contract.getSharedResult, async ({ params, request, reply }) => {
    void reply.header('x-robots-tag', 'noindex')
    await countView(deps, request.ip)
    if (await isShared(deps, params.token)) takePlace(network(request.ip), reply)
    const { backtest, expiresAt } = await sharedResult(deps, params.token)
    const result = await resultToWire(backtest.report)
    return {
      expires_at: expiresAt.toISOString(),
      result: {
        ...result,
        // Neither an id of the owner's rows nor rows that the page does not show.
        settings: { ...result.settings, reference_backtest_id: null },
        trades: [],
        test_predictions: null,
        test_probabilities: null,
        test_feature_values: null,
      },
    }
  })
}

const linkToWire = (link: ResultLink): contract.ResultLink => ({
  id: link.id,
  backtest_id: link.backtestId,
  backtest_name: link.backtestName,
  created_at: link.createdAt.toISOString(),
  expires_at: link.expiresAt.toISOString(),
})

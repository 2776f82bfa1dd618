import * as contract from '@tradewright/contract/shared-results'
import type { Passport } from '@tradewright/contract/passports'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ResultLink } from '../../backtests/ports.ts'
import {
  countView,
  createLink,
  findShared,
  notShared,
  ownLinks,
  type ResultLinkDeps,
  revokeLink,
  sharedResult,
} from '../../backtests/result-links.ts'
import { network } from '../../auth/network.ts'
import type { RunDeps } from '../../backtests/execute-run.ts'
import { passportOf } from '../../backtests/passport/passport.ts'
import { pictureOf } from '../../backtests/shared-picture/picture.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { Handle } from '../server/handle.ts'
import { readingPlaces } from '../server/reading-places.ts'
import { turnsPerUser } from '../../turn-queue.ts'
import { toWire as passportToWire } from './passport.ts'
import { toWire as resultToWire } from './wire.ts'

/** A result may have tens of megabytes, and visitors need no account. */
const VIEWS_AT_ONCE = { each: 4, all: 8 }

/** They are made one after another, and one that waits in the database would hold a connection. */
const LINKS_WAITING = 20

interface Deps extends ResultLinkDeps, Pick<RunDeps, 'compute'> {
  readonly madeBy: Passport['made_by']
}

export function serveResultLinks(app: FastifyInstance, handle: Handle, deps: Deps): void {
  const reservePlace = readingPlaces(VIEWS_AT_ONCE)
  const turns = turnsPerUser(LINKS_WAITING)
  handle(contract.listResultLinks, async ({ user }) => ({ links: (await ownLinks(deps, user.id)).map(linkToWire) }))
  handle(contract.createResultLink, async ({ user, params, body }) => {
    const { link, token } = await turns(user.id, () =>
      createLink(deps, user.id, params.id, { days: body.days, withPassport: body.with_passport }),
    )
    return { link: linkToWire(link), token }
  })
  handle(contract.revokeResultLink, async ({ user, params }) => {
    await revokeLink(deps, user.id, params.id)
    return { success: true as const }
  })
  const visit = async (token: string, request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('x-robots-tag', 'noindex')
    await countView(deps, request.ip)
    if (await findShared(deps, token)) reservePlace(network(request.ip), reply)
    return sharedResult(deps, token)
  }
  handle(contract.getSharedPassport, async ({ params, request, reply }) => {
    const { backtest, withPassport } = await visit(params.token, request, reply)
    // It has trades and signals that the page does not show.
    if (!withPassport) notShared()
    void reply.header('content-disposition', 'attachment; filename="passport.json"')
    return passportToWire(passportOf(backtest.report), deps.madeBy)
  })
  app.get<{ Params: { token: string } }>(
    `${contract.SHARED_PATH}:token/${contract.SHARED_PICTURE}`,
    { schema: { hide: true } },
    async (request, reply) => {
      const { backtest } = await visit(request.params.token, request, reply)
      const signal = disconnectSignal(reply)
      const picture = await deps.compute.run('backtests/shared-picture', pictureOf(backtest), {
        owner: 'shared',
        signal,
      })
      return reply.type('image/png').header('cache-control', 'no-store').send(Buffer.from(picture))
    },
  )
  handle(contract.getSharedResult, async ({ params, request, reply }) => {
    const { backtest, expiresAt, withPassport } = await visit(params.token, request, reply)
    const result = await resultToWire(backtest.report)
    return {
      expires_at: expiresAt.toISOString(),
      has_passport: withPassport,
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
  with_passport: link.withPassport,
})

import * as contract from '@tradewright/contract/live-trading-watch'
import type { CountTest } from '../../alerts/own-alerts.ts'
import { acceptBroker } from '../../live-trading/capital/accept-broker.ts'
import { checkNow } from '../../live-trading/check-now.ts'
import type { EmergencyDeps } from '../../live-trading/stops/cancel-at-broker.ts'
import { emergencyStop } from '../../live-trading/stops/emergency-stop.ts'
import { deploymentsAtAGlance } from '../../live-trading/summary.ts'
import type { Mailer } from '../../live-trading/notifications/notifications.ts'
import { confirmRecipient, type RecipientDeps, tryRecipient } from '../../live-trading/notifications/recipients.ts'
import { previewDecision, previewNewDeployment } from '../../live-trading/deploy/preview.ts'
import { MonthReplays } from '../../live-trading/replay/replay-month.ts'
import { setSafety } from '../../live-trading/deploy/safety.ts'
import { deploymentOverview, viewDeployment } from '../../live-trading/views.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import { turnsPerUser } from '../../turn-queue.ts'
import type { Handle } from '../server/handle.ts'
import { mailSiteOf } from '../server/security/site-of.ts'
import { askedBy } from './actor.ts'
import { toDeployForm } from './form.ts'
import { glanceToWire, overviewToWire } from './watch-wire.ts'
import { monthToWire, previewToWire } from './preview-wire.ts'
import { deploymentToWire } from './wire.ts'

const success = true as const

interface Mailing extends Omit<RecipientDeps, 'clock'> {
  readonly mailer: Mailer
  readonly countTest: CountTest
  readonly appUrl: string | undefined
}

export function serveLiveTradingWatch(
  handle: Handle,
  deps: EmergencyDeps,
  { countTest, appUrl, ...mailing }: Mailing,
): void {
  handle(contract.getDeploymentsAtAGlance, async ({ user }) => ({
    success,
    ...glanceToWire(await deploymentsAtAGlance(deps, user.id)),
  }))
  handle(contract.getDeploymentOverview, async ({ user, params }) => ({
    success,
    ...overviewToWire(await deploymentOverview(deps, user.id, params.id)),
  }))
  handle(contract.checkDeployment, async (call) => {
    const { outcome, sentence, nextRunAt } = await checkNow(askedBy(deps, call), call.user.id, call.params.id)
    return { success, outcome, message: sentence, next_run_at: nextRunAt?.toISOString() ?? null }
  })
  servePreviews(handle, deps)
  handle(contract.setSafety, async (call) => {
    const { user, params, body } = call
    const safety = {
      ...(body.dry_run !== undefined && { dryRun: body.dry_run }),
      ...(body.max_daily_loss_pct !== undefined && { maxDailyLossPct: body.max_daily_loss_pct }),
      ...(body.max_drawdown_pct !== undefined && { maxDrawdownPct: body.max_drawdown_pct }),
      ...(body.loss_action !== undefined && { lossAction: body.loss_action }),
    }
    await setSafety(askedBy(deps, call), user.id, params.id, safety, body.confirmation ?? undefined)
    return { success, deployment: deploymentToWire(await viewDeployment(deps, user.id, params.id)) }
  })
  handle(contract.acceptBrokerFigures, async (call) => ({
    success,
    message: await acceptBroker(askedBy(deps, call), call.user.id, call.params.id, call.body.accept_losses),
  }))
  serveEmergency(handle, deps)
  handle(contract.getNotificationSettings, async () => ({
    success,
    configured: mailing.mailer.isConfigured,
    from: mailing.mailer.from ?? null,
  }))
  const recipientDeps = { ...mailing, clock: deps.clock }
  handle(contract.testNotification, async ({ user, body, request }) => {
    if (mailing.mailer.isConfigured) await countTest(user.id)
    return { success, message: await tryRecipient(recipientDeps, user.id, body.email, mailSiteOf(request, appUrl)) }
  })
  handle(contract.confirmRecipient, async ({ body }) => ({
    success,
    email: await confirmRecipient(recipientDeps, body.token),
  }))
}

/** Previews and replays of one user that wait for the one at work: each may train a model. */
const PREVIEWS_WAITING = 4

function servePreviews(handle: Handle, deps: EmergencyDeps): void {
  const turns = turnsPerUser(PREVIEWS_WAITING)
  handle(contract.previewDecision, async ({ user, params }) => ({
    success,
    ...previewToWire(await turns(user.id, () => previewDecision(deps, user.id, params.id))),
  }))
  handle(contract.previewNewDeployment, async ({ user, body }) => {
    const form = toDeployForm(body)
    return { success, ...previewToWire(await turns(user.id, () => previewNewDeployment(deps, user.id, form))) }
  })
  const replays = new MonthReplays(deps)
  handle(contract.replayNewDeployment, async ({ user, body, reply }) => {
    const [form, left] = [toDeployForm(body), disconnectSignal(reply)]
    return { success, replay: monthToWire(await turns(user.id, () => replays.ofForm(user.id, form, left))) }
  })
  handle(contract.replayDeploymentMonth, async ({ user, params, reply }) => {
    const left = disconnectSignal(reply)
    return { success, replay: monthToWire(await turns(user.id, () => replays.ofDeployment(user.id, params.id, left))) }
  })
}

function serveEmergency(handle: Handle, deps: EmergencyDeps): void {
  const stop = async (by: EmergencyDeps, userId: number, id: number | undefined) => {
    const { stopped, cancelledOrders, problems } = await emergencyStop(by, userId, id)
    const what = `${stopped} ${stopped === 1 ? 'deployment' : 'deployments'} stopped`
    const message = `${what}, ${cancelledOrders} open orders cancelled. Positions are kept.`
    return { success, message, stopped, cancelled_orders: cancelledOrders, problems: [...problems] }
  }
  handle(contract.emergencyStop, (call) => stop(askedBy(deps, call), call.user.id, call.params.id))
  handle(contract.emergencyStopAll, (call) => stop(askedBy(deps, call), call.user.id, undefined))
}

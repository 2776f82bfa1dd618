import type { Clock } from '@tradewright/core/clock'
import { hostname } from 'node:os'
import { emailChannel } from '../adapters/alerts/email.ts'
import { ntfyChannel } from '../adapters/alerts/ntfy.ts'
import { telegramChannel } from '../adapters/alerts/telegram.ts'
import { userAddresses } from '../adapters/alerts/user-address.ts'
import { webhookChannel } from '../adapters/alerts/webhook.ts'
import { guardedTransport } from '../adapters/http/address-guard.ts'
import { systemHttp } from '../adapters/http/http-client.ts'
import { Heartbeats } from '../alerts/heartbeat.ts'
import { alertDelivery, type CountTest } from '../alerts/own-alerts.ts'
import { Alerts } from '../alerts/raise-alerts.ts'
import { operatorOf } from '../auth/operator.ts'
import type { Config } from '../config.ts'
import type { TellDisk } from '../disk-floor.ts'
import type { Foundation } from '../foundation.ts'
import { serveAlerts } from '../http/alerts/routes.ts'
import type { Handle } from '../http/server/handle.ts'
import type { Mailer } from '../live-trading/notifications/notifications.ts'
import type { Deliver } from '../live-trading/notifications/outbox.ts'
import type { MessageStore } from '../live-trading/ports/messages.ts'
import type { Logger } from '../log.ts'
import { createAlertInbox, createAlertSettingsStore, createChannelStore } from '../stores/alerts/alerts.ts'
import { createCallAllowances } from '../stores/call-allowances.ts'
import { createUserStore } from '../stores/auth/users.ts'
import { createOperatorStore } from '../stores/observe/operator.ts'

interface AlertsArea {
  readonly alerts: Alerts
  readonly deliver: Deliver
  readonly heartbeats: Heartbeats
  readonly tellDisk: TellDisk
  serve(handle: Handle): void
}

interface Needs {
  readonly mailer: Mailer
  readonly messages: MessageStore
  readonly clock: Clock
  readonly log: Logger
  readonly countTest: CountTest
  readonly countResend: CountTest
  readonly isDiskLow: () => boolean
}

export function openAlerts(
  {
    services,
    allowPrivateAlerts,
    operatorUser,
    databaseUrl,
  }: Pick<Config, 'services' | 'allowPrivateAlerts' | 'operatorUser' | 'databaseUrl'>,
  { database, pool, seal }: Pick<Foundation, 'database' | 'pool' | 'seal'>,
  { mailer, messages, clock, log, countTest, countResend, isDiskLow }: Needs,
): AlertsArea {
  const http = systemHttp(log, createCallAllowances(pool))
  const transport = guardedTransport(allowPrivateAlerts ? { isAllowed: () => true } : {})
  const addresses = userAddresses({ ...http, transport }, { allowsPlain: allowPrivateAlerts })
  const users = createUserStore(database)
  const channels = createChannelStore(database)
  const settings = createAlertSettingsStore(database)
  const inbox = createAlertInbox(database)
  // Adding a way of telling users is adding it here.
  const kinds = [
    emailChannel(mailer, async (userId) => {
      const account = await users.find(userId)
      return account?.emailState === 'verified' ? account.email : undefined
    }),
    webhookChannel(addresses),
    ntfyChannel(addresses),
    telegramChannel(services.telegram, http),
  ]
  const deps = { channels, settings, kinds, seal, clock, countTest, countResend }
  const checkUrl = (url: string) => addresses.check(url)
  const callUrl = (url: string, signal: AbortSignal) => addresses.call(url, { signal })
  const name = databaseUrl === undefined ? 'This server' : `Server ${hostname()}`
  const alerts = new Alerts({ alerts: inbox, settings, messages, clock, log, server: { name, isDiskLow } })
  const operators = createOperatorStore(database)
  const tellDisk: TellDisk = async (isLow, free) => {
    const operatorId = await operatorOf(operators, operatorUser)
    if (operatorId === undefined) return
    const sentence = isLow
      ? `The disk is nearly full: ${free} are free. New series, histories and runs are refused; trading, stops and what is stored go on.`
      : `The disk has room again: ${free} are free.`
    if (isLow) await alerts.raiseDiskLow(operatorId, sentence)
    // A channel tells it by itself.
    if ((await channels.list(operatorId)).some(({ isEnabled }) => isEnabled) || !mailer.isConfigured) return
    const account = await users.find(operatorId)
    if (account?.emailState !== 'verified') return
    const subject = isLow ? 'Tradewright: the disk is nearly full' : 'Tradewright: the disk has room again'
    await mailer.send({ to: account.email, subject, text: `${name}: ${sentence}\n`, event: 'disk_low' })
  }
  return {
    alerts,
    tellDisk,
    deliver: alertDelivery(deps),
    heartbeats: new Heartbeats({ settings, seal, callUrl, checkUrl, clock, log }),
    serve: (handle) => serveAlerts(handle, { ...deps, checkUrl, inbox }),
  }
}

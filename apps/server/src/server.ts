import type { Clock } from '@tradewright/core/clock'
import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'
import { serveAssistantArea } from './areas/assistant.ts'
import { openAuthArea } from './areas/auth.ts'
import { serveBacktestArea } from './areas/backtests.ts'
import { serveHomeArea } from './areas/home.ts'
import { serveMcpArea } from './areas/mcp.ts'
import { serveOptimizerArea } from './areas/optimizer.ts'
import { serveConstructionArea } from './areas/construction.ts'
import { serveStudyArea } from './areas/studies.ts'
import { openProposals } from './areas/proposals.ts'
import { databaseReadiness, notReady, openMetrics, reportProcess, serveOperatorArea } from './areas/observe.ts'
import { openRuntime } from './areas/runtime.ts'
import { countView, findShared } from './backtests/result-links.ts'
import { operatorCheck } from './auth/operator.ts'
import type { PasswordHasher } from './auth/ports.ts'
import { projectFolder, type Config } from './config.ts'
import { JobFeed } from './events/job-feed.ts'
import type { Foundation } from './foundation.ts'
import { serveDeletions } from './http/deletions/routes.ts'
import { serveProposals } from './http/proposals/routes.ts'
import { createApp } from './http/server/app.ts'
import { Downloads } from './http/server/downloads.ts'
import { drainBeforeClose } from './http/server/drain.ts'
import { serveEvents } from './http/system/events.ts'
import { serveInTurns } from './http/server/fair-calls.ts'
import { createHandle } from './http/server/handle.ts'
import { serveHealth, serveReadiness, serveSystemHealth } from './http/system/health.ts'
import { countCalls, serveMetrics } from './http/system/metrics.ts'
import { refuseUnknownHosts } from './http/server/security/host-check.ts'
import { serveVersion } from './http/system/version.ts'
import { serveJobs } from './http/system/jobs.ts'
import { publishOpenApi } from './http/server/openapi.ts'
import { SESSION_COOKIE } from './http/server/security/session-cookie.ts'
import { serveWebApp } from './http/server/web-app.ts'
import type { Logger } from './log.ts'
import { isLoopbackOnly } from './loopback-only.ts'
import { createIdempotentCalls } from './jobs/idempotent-calls.ts'
import { chunkJob } from './optimizer/evaluators.ts'
import { engineVersion, programCommit, programVersion } from './program-version.ts'
import { processHealth } from './process-health.ts'
import { createTradedMoney } from './stores/auth/api-keys.ts'
import { scheduleBackups } from './stores/backup/scheduled-backups.ts'
import { createDeletionStore } from './stores/deletions/deleted-rows.ts'
import { createIdempotentCallStore } from './stores/jobs/jobs.ts'
import { newestMigration } from './stores/migrate.ts'
import { createOperatorStore, countSystem } from './stores/observe/operator.ts'
import { ACCOUNT_CLOSED_CHANNEL } from './stores/auth/account-states.ts'
import { SESSION_REVOKED_CHANNEL } from './stores/auth/sessions.ts'
import { PROPOSALS_CHANNEL } from './stores/proposals/proposals.ts'
import { roomInDatabase } from './stores/room-in-database.ts'
import { systemClock } from './system-clock.ts'

interface ServerSettings {
  config: Config
  foundation: Foundation
  log: Logger
  clock?: Clock
  passwordHasher?: PasswordHasher | undefined
  /** Where the built web app lies. */
  webFolder?: string
}

/** The whole web process, every area joined to it, not yet listening. Closing it leaves the foundation open. */
export async function buildServer(settings: ServerSettings): Promise<FastifyInstance> {
  const { config, foundation, log, clock = systemClock } = settings
  const app = await createApp({ log, appUrl: config.appUrl, trustedProxies: config.trustedProxies })
  refuseUnknownHosts(app, config)
  const { callsPerMinute, threadPct } = config
  const { admit, endCallsOf } = serveInTurns(app, {
    callsPerMinute,
    threadPct,
    exemptsLoopback: isLoopbackOnly(config),
  })
  try {
    await foundation.notifications.listen(ACCOUNT_CLOSED_CHANNEL, (userId) => endCallsOf(Number(userId)))
    await publishOpenApi(app, SESSION_COOKIE)
    const auth = await openAuthArea(config, foundation, { clock, log, hasher: settings.passwordHasher })
    const idempotentCalls = createIdempotentCalls(createIdempotentCallStore(foundation.database), clock)
    const assertRoom = roomInDatabase(config.databaseLimitBytesPerUser, foundation.database)
    const isOperator = operatorCheck(createOperatorStore(foundation.database), config.operatorUser)
    const handle = createHandle(app, {
      authenticate: auth.authenticate,
      assertRoom,
      idempotentCalls,
      tradedMoney: createTradedMoney(foundation.database),
      requireFactor: auth.requireFactor,
      isOperator,
      admit,
    })
    serveVersion(handle, { version: programVersion, commit: programCommit(), schema: newestMigration })
    const isDatabaseUp = databaseReadiness(foundation.pool)
    serveHealth(handle, isDatabaseUp)
    let isClosing = false
    app.addHook('preClose', async () => void (isClosing = true))
    serveReadiness(handle, async () => {
      if (isClosing) return 'This process is closing.'
      return notReady(foundation, isDatabaseUp)
    })
    auth.serve(app, handle, () => idempotentCalls.removeOld())
    const runtime = await openRuntime(config, foundation, log, { runsJobs: config.runJobs, clock })
    app.addHook('onClose', () => runtime.close())
    if (config.runJobs) app.addHook('onListen', async () => runtime.compute.prepare(['backtests/run']))
    const backups = scheduleBackups(config, foundation.databaseUrl, clock, log)
    app.addHook('onClose', async () => backups.stop())
    const stopMeasuring = processHealth.measureDelays()
    app.addHook('onClose', () => stopMeasuring())
    app.addHook('onClose', reportProcess('web', foundation, runtime, log))
    serveOperatorArea(handle, { config, foundation, clock, isOperator, backups: backups.status })
    if (config.metricsToken !== undefined) {
      const metrics = openMetrics('web', foundation, runtime, backups.status)
      countCalls(app, metrics)
      serveMetrics(app, metrics, config.metricsToken)
      app.addHook('onClose', async () => metrics.close())
    }
    serveSystemHealth(handle, {
      health: processHealth,
      isOwnDatabase: config.databaseUrl === undefined,
      pool: foundation.pool,
      isListening: () => foundation.notifications.isListening(),
      count: () => countSystem(foundation.database),
      lastBeatAt: () => runtime.liveTrading.runner.lastBeatAt,
    })
    serveJobs(handle, runtime.jobs)
    runtime.marketData.serve(handle, runtime.jobs, runtime.liveTrading.tradedBy)
    const shared = serveBacktestArea(app, handle, foundation, runtime, clock, {
      uploadFolder: join(config.dataDir, 'uploads'),
      madeBy: { program: programVersion, engine: engineVersion, commit: programCommit() },
    })
    serveHomeArea(handle, foundation, runtime.marketData, clock)
    serveDeletions(handle, createDeletionStore(foundation.database))
    runtime.brokerage.serve(handle, runtime.liveTrading.deploymentsOn)
    const downloads = new Downloads()
    runtime.brokerage.serveExport(app, auth.authenticate, downloads)
    runtime.marketData.serveExport(app, auth.authenticate, downloads)
    runtime.liveTrading.serve(handle)
    serveAssistantArea(handle, { config, foundation, runtime, clock, log })
    serveOptimizerArea(handle, foundation, runtime, clock)
    serveStudyArea(handle, foundation, runtime, clock)
    serveConstructionArea(handle, foundation, runtime, clock)
    const proposals = openProposals({ foundation, runtime, clock, log })
    serveProposals(handle, proposals)
    const others = {
      files: runtime.marketData.userFiles,
      runningDeployments: (userId: number) => runtime.liveTrading.runningDeployments(userId),
    }
    auth.serveUserData(app, handle, others, downloads)
    auth.serveAccountActions(handle, isOperator, others.files)
    // Before streams end, and after the hook that tells balancers.
    drainBeforeClose(app, config.drain)
    const feed = await JobFeed.open(runtime.jobs.jobs, foundation.notifications, log, [chunkJob.kind])
    const { authenticate } = auth
    const { notifications } = foundation
    const around = { authenticate, feed, notifications, proposals, assertRoom, idempotentCalls }
    await serveMcpArea(app, { config, foundation, runtime, clock, log, ...around })
    await serveEvents(app, {
      authenticate,
      feed,
      onProposals: (listener) =>
        foundation.notifications.listen(PROPOSALS_CHANNEL, (userId) => listener(Number(userId))),
      countProposals: (userId) => proposals.proposals.countOpen(userId, clock.now()),
      onSessionEnd: (listener) => foundation.notifications.listen(SESSION_REVOKED_CHANNEL, listener),
    })
    await serveWebApp(app, settings.webFolder ?? join(projectFolder, 'apps', 'web', 'dist'), async (token, address) => {
      await countView(shared, address)
      return findShared(shared, token)
    })
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

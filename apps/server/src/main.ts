import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { loadDotEnv, projectFolder, readConfig, type Config } from './config.ts'
import { databaseReadiness } from './database-ready.ts'
import { openFoundation } from './foundation.ts'
import { createApp } from './http/app.ts'
import { createHandle } from './http/handle.ts'
import { serveHealth } from './http/health.ts'
import { publishOpenApi } from './http/openapi.ts'
import { serveWebApp } from './http/web-app.ts'
import { createLog, type Logger } from './log.ts'
import { runProgram } from './program.ts'
import { StartupFailure } from './startup-failure.ts'
import { errorCode } from './system-error.ts'

await runProgram(async () => {
  loadDotEnv()
  const config = readConfig(process.env)
  return startServer(config, createLog(config))
})

async function startServer(config: Config, log: Logger): Promise<() => Promise<void>> {
  const foundation = await openFoundation(config, log)
  const app = await createApp({ log, appUrl: config.appUrl })
  const close = async () => {
    await app.close()
    await foundation.close()
  }
  try {
    await publishOpenApi(app, 'tradewright_session')
    const handle = createHandle(app, () => Promise.resolve(null))
    serveHealth(handle, databaseReadiness(foundation.pool))
    await serveWebApp(app, join(projectFolder, 'apps', 'web', 'dist'))
    await app.listen({ port: config.port, host: config.host }).catch((error) => explainListen(error, config))
  } catch (error) {
    await close()
    throw error
  }
  const { port } = app.server.address() as AddressInfo
  process.stdout.write(`Tradewright is running at ${config.appUrl ?? `http://${urlHost(config.host)}:${port}`}\n`)
  return close
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function explainListen(error: unknown, { port, host }: Config): never {
  if (errorCode(error) === 'EADDRINUSE') {
    throw new StartupFailure(
      `Port ${port} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start`,
    )
  }
  if (errorCode(error) === 'EACCES') {
    throw new StartupFailure(
      `Port ${port} needs more rights than this user has. Choose one above 1023: PORT=3000 npm start`,
    )
  }
  throw new StartupFailure(
    `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`,
  )
}

import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import { runProgram, type RunningProgram } from './program.ts'
import { started } from './started.ts'
import { StartupFailure } from './startup-failure.ts'
import { errorCode } from './system-error.ts'

await runProgram(startServer)

async function startServer(config: Config, log: Logger): Promise<RunningProgram> {
  // The program is read while its database starts; a setting that is wrong was refused before either.
  const server = started(import('./server.ts'))
  const { openFoundation } = await import('./foundation.ts')
  const foundation = await openFoundation(config, log)
  const closers = [() => foundation.close()]
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const { buildServer } = await server
    const app = await buildServer({ config, foundation, log })
    closers.push(() => app.close())
    await app.listen({ port: config.port, host: config.host }).catch((error) => explainListen(error, config))
    const address = app.server.address() as AddressInfo
    announce(config, address)
    return { port: address.port, close }
  } catch (error) {
    await close()
    throw error
  }
}

function announce(config: Config, { port }: AddressInfo): void {
  process.stdout.write(`Tradewright is running at ${config.appUrl ?? `http://${urlHost(config.host)}:${port}`}\n`)
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

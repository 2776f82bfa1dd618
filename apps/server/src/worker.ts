import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import { runProgram, type RunningProgram } from './program.ts'
import { StartupFailure } from './startup-failure.ts'

await runProgram(startWorker)

/** A worker runs jobs and nothing else. Its database is another program's: alone it would have nothing to do. */
async function startWorker(config: Config, log: Logger): Promise<RunningProgram> {
  if (!config.databaseUrl) {
    throw new StartupFailure(
      'A worker shares a database with a web process: set DATABASE_URL to the same one. Without DATABASE_URL, npm start runs jobs itself.',
    )
  }
  // Read once it is clear that there is something to do: it is the whole program.
  const [{ openFoundation }, { openRuntime }, { serveWorker, reportProcess }] = await Promise.all([
    import('./foundation.ts'),
    import('./areas/runtime.ts'),
    import('./areas/observe.ts'),
  ])
  const foundation = await openFoundation(config, log)
  try {
    const runtime = await openRuntime(config, foundation, log, { runsJobs: true })
    const stopWatched = await serveWorker(config, foundation, runtime)
    const stopReporting = reportProcess('worker', foundation, runtime, log)
    process.stdout.write(`Tradewright worker is taking jobs, with ${config.computeThreads} compute threads\n`)
    return {
      async close() {
        await stopWatched()
        await stopReporting()
        await runtime.close()
        await foundation.close()
      },
    }
  } catch (error) {
    await foundation.close()
    throw error
  }
}

import type { Random } from '@tradewright/core/random'
import type { Findings } from './findings.ts'
import type { Stage } from './stage.ts'

type Fault = 'server' | 'worker' | 'database' | 'connections'

const FAULTS: readonly Fault[] = ['server', 'worker', 'database', 'connections']
const RECOVERS_WITHIN_MS = 120_000

/** One fault, drawn by chance, and the wait until the server answers again; false when there was nothing to strike. */
export async function strike(stage: Stage, random: Random, findings: Findings): Promise<boolean> {
  const fault = FAULTS[random.below(FAULTS.length)]!
  if (!(await inflict(stage, fault))) return false
  findings.count(`faults: ${fault}`)
  const struckAt = performance.now()
  if (!(await stage.untilHealthy(RECOVERS_WITHIN_MS))) {
    findings.violation('the server did not come back', `after a fault of the ${fault}`)
    return true
  }
  findings.count(`seconds until healthy: ${fault}`, Math.round((performance.now() - struckAt) / 100) / 10)
  return true
}

/** False when there was nothing to strike: it is being started. */
async function inflict({ server, worker, database, databasePid }: Stage, fault: Fault): Promise<boolean> {
  if (fault === 'connections') {
    return database
      .query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
      )
      .then(
        () => true,
        () => false,
      )
  }
  const pid = fault === 'server' ? server.pid() : fault === 'worker' ? worker?.pid() : databasePid()
  if (pid === undefined) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

// `npm run chaos`: scripted users at work while processes are killed and connections cut; then a checker looks for
// acknowledged writes that were lost, orders that were doubled or lost, ledgers that do not balance and jobs that hang.
import { Random } from '@tradewright/core/random'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { checkFinally, checkNow } from './checker.ts'
import { corruptFiles, fullDisk } from './disk-phases.ts'
import { strike } from './faults.ts'
import { Findings } from './findings.ts'
import { ScriptedUser } from './scripted-user.ts'
import { type ChaosSettings, readSettings } from './settings.ts'
import { openStage, type Stage } from './stage.ts'

const USERS_LOOKED_UP = 5
const REST_WITHIN_MS = 180_000
const FAILURES_SHOWN = 10
/** Each fault waits until the server answers again, so that many of them may take longer than the minutes asked for. */
const MAX_STRETCH = 3

// An exit closes nothing by itself: the stage ends its database, and launchers notice that their parent is gone.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const settings = readSettings(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), 'tradewright-chaos-'))
const findings = new Findings()
console.log(
  `Chaos: ${settings.users} users, ${settings.kills} faults in ${settings.minutes} minutes or a little more, seed ${settings.seed}`,
)
try {
  await killAtRandom(settings)
  await fullDisk(folder, findings)
} catch (error) {
  findings.violation('the run itself failed', (error as Error).stack ?? String(error))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(findings.report())
process.exit(findings.isClean ? 0 : 1)

async function killAtRandom({ users: count, minutes, kills, seed }: ChaosSettings): Promise<void> {
  const stage = await openStage(folder, { hasWorker: true })
  try {
    const users = Array.from(
      { length: count },
      (_, i) => new ScriptedUser(stage.address, i, new Random(seed * 1000 + i), findings),
    )
    for (const user of users) await user.arrive()
    console.log(`${count} users have arrived`)
    const over = new AbortController()
    const work = Promise.allSettled(users.map((user) => user.act(over.signal)))
    try {
      await strikeOnAndOn(stage, users, { minutes, kills, random: new Random(seed) })
    } finally {
      over.abort()
      for (const one of await work) {
        if (one.status === 'rejected') findings.violation('a scripted user failed', String(one.reason))
      }
    }
    console.log('no more faults; waiting for everything to come to rest')
    await checkFinally(stage.database, users, findings, REST_WITHIN_MS)
    await countOrders(stage)
    const output = stage.server.output() + (stage.worker?.output() ?? '')
    findings.count('restarts by the launchers', output.split('ended unexpectedly (').length - 1)
    if (output.includes('"bug: '))
      findings.violation('a bug is in the log', output.slice(output.indexOf('"bug: ')).slice(0, 500))
    const failures = output.split('\n').filter((line) => /unexpected failure|failed unexpectedly/.test(line))
    for (const line of failures.slice(0, FAILURES_SHOWN)) console.log(`LOG ${line}`)
    await corruptFiles(stage, users, findings)
  } finally {
    await stage.close()
  }
}

interface Storm {
  minutes: number
  kills: number
  random: Random
}

async function strikeOnAndOn(stage: Stage, users: ScriptedUser[], { minutes, kills, random }: Storm): Promise<void> {
  const beganAt = performance.now()
  const until = beganAt + MAX_STRETCH * minutes * 60_000
  const intervalMs = (minutes * 60_000) / kills
  let struck = 0
  while (struck < kills && performance.now() < until) {
    const struckAt = performance.now()
    if (await strike(stage, random, findings)) struck++
    const some = Array.from({ length: USERS_LOOKED_UP }, () => users[random.below(users.length)]!)
    await checkNow(stage.database, some, findings)
    if (struck % 10 === 0) console.log(`${struck} faults`)
    // Random, so that faults hit every kind of work; on average the interval.
    await pause(Math.max(0, 2 * random.float() * intervalMs - (performance.now() - struckAt)))
  }
  findings.count('minutes of faults', Math.round((performance.now() - beganAt) / 60_000))
}

async function countOrders({ database }: Stage): Promise<void> {
  for (const table of ['order_intents', 'paper_orders', 'ledger_entries', 'jobs'] as const) {
    const { rows } = await database.query<{ count: string }>(`SELECT count(*) FROM ${table}`)
    findings.count(`rows of ${table}`, Number(rows[0]!.count))
  }
  const states = await database.query<{ state: string; count: string }>(
    'SELECT state, count(*) FROM order_intents GROUP BY state',
  )
  for (const { state, count } of states.rows) findings.count(`orders in the journal: ${state}`, Number(count))
}

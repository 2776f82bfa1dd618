import type { Broker } from '@tradewright/engine/trading/broker'
import { spawn } from 'node:child_process'
import type { OrderStep } from '../../src/live-trading/cycle/order-steps.ts'
import { createLog } from '../../src/log.ts'
import { connectDatabase } from '../../src/stores/database.ts'
import { programFile } from '../program-files.ts'
import { compileCache } from '../program.ts'
import { type DyingWork, workUntilDeath } from './dying-work.ts'
import { expireLeases } from './live-story.ts'
import type { LiveWorld } from './live-world.ts'
import { serveBroker } from './remote-broker.ts'

interface DeathSettings {
  readonly step: OrderStep
  /** After which of those steps it dies. */
  readonly times: number
  /** How far its clock goes in a beat. */
  readonly beatMs?: number
  readonly byRules?: boolean
  /** Runs nothing, and takes the broker's figures for this deployment. */
  readonly accepts?: number
}

/** Runs the deployments of a world until that dies right after the step; fails when it ends otherwise. */
export type Death = (world: LiveWorld, work: DyingWork) => Promise<void>

/** A process of its own, killed by kill -9. */
export const killed: Death = async (world, work) => {
  const remote = await serveBroker(world.stage.broker)
  try {
    const argument = { ...work, databaseUrl: world.database.url, brokerUrl: remote.url }
    const child = spawn(process.execPath, [programFile('live-process'), JSON.stringify(argument)], {
      env: { ...process.env, ...compileCache },
      stdio: 'inherit',
    })
    const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
    if (signal !== 'SIGKILL') throw new Error(`the process ended before ${work.step}: ${String(signal)}`)
  } finally {
    await remote.close()
  }
}

/**
 * Work in this process whose connections to the database break after the step, and which reaches neither the database
 * nor the broker from then on: for them, it is as if its process had been killed, at a tenth of the time.
 */
export const cutOff: Death = async (world, work) => {
  const { database, pool } = connectDatabase(world.database.url, createLog({ logLevel: 'silent' }), 4)
  const connected = new Set<Connected>()
  pool.on('connect', (client) => connected.add(client as unknown as Connected))
  const death = Promise.withResolvers<void>()
  let isDead = false
  const die = () => {
    isDead = true
    // An idle connection must not be used again, and a transaction is rolled back by the database.
    for (const { connection } of connected) connection.stream.destroy()
    pool.connect = (() => never) as typeof pool.connect
    death.resolve()
    throw new Error('this work is dead')
  }
  const broker = new Proxy(world.stage.broker, {
    get: (target, name: keyof Broker) => {
      const member: unknown = target[name]
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => (isDead ? never : (member.apply(target, args) as unknown))
    },
  })
  const ended = workUntilDeath(work, { database, broker, die }).then(() => {
    if (!isDead) throw new Error(`the work ended before ${work.step}`)
  })
  await Promise.race([death.promise, ended])
}

interface Connected {
  readonly connection: { readonly stream: { destroy(): void } }
}

const never = new Promise<never>(() => {})

/** The deployments of a world run until death, and what it held counts as free. */
export async function dieAfter(
  death: Death,
  world: LiveWorld,
  { step, times, beatMs = 1_000, byRules = false, accepts }: DeathSettings,
): Promise<void> {
  await death(world, {
    now: world.clock.now().getTime(),
    step,
    times,
    percentages: world.signalService.percentages,
    quotes: Object.fromEntries([...world.quotes].map(([ticker, price]) => [ticker, String(price)])),
    beatMs,
    byRules,
    accepts: accepts === undefined ? null : { userId: world.userId, id: accepts },
  })
  await expireLeases(world)
}

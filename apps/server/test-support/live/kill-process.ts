import { spawn } from 'node:child_process'
import type { OrderStep } from '../../src/live-trading/cycle/order-steps.ts'
import { programFile } from '../program-files.ts'
import { compileCache } from '../program.ts'
import type { LiveWorld } from './live-world.ts'

interface ProcessSettings {
  /** How far its clock goes in a beat. */
  readonly beatMs?: number
  readonly byRules?: boolean
  /** Runs nothing, and takes the broker's figures for this deployment. */
  readonly accepts?: number
}

/** Runs the deployments of a world in a process of its own until it kills itself after the step; answers its signal. */
export async function runAndDie(
  world: LiveWorld,
  brokerUrl: string,
  step: OrderStep,
  times: number,
  { beatMs = 1_000, byRules = false, accepts }: ProcessSettings = {},
): Promise<string | null> {
  const quotes = Object.fromEntries([...world.quotes].map(([ticker, price]) => [ticker, String(price)]))
  const argument = {
    databaseUrl: world.database.url,
    brokerUrl,
    now: world.clock.now().getTime(),
    step,
    times,
    percentages: world.signalService.percentages,
    quotes,
    beatMs,
    byRules,
    accepts: accepts === undefined ? null : { userId: world.userId, id: accepts },
  }
  const child = spawn(process.execPath, [programFile('live-process'), JSON.stringify(argument)], {
    env: { ...process.env, ...compileCache },
    stdio: 'inherit',
  })
  return new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)))
}

import { flushCompileCache } from 'node:module'
import { createLog } from '../../src/log.ts'
import { connectDatabase } from '../../src/stores/database.ts'
import { type DyingWork, workUntilDeath } from './dying-work.ts'
import { remoteBroker } from './remote-broker.ts'

/** A process that runs deployments and dies by kill -9 right after a step of the order path. */
const { databaseUrl, brokerUrl, ...work } = JSON.parse(process.argv[2]!) as DyingWork & {
  databaseUrl: string
  brokerUrl: string
}
// It never ends in the way in which compiled sources are kept for the next one.
flushCompileCache()
const { database } = connectDatabase(databaseUrl, createLog({ logLevel: 'silent' }), 4)
const die = () => process.kill(process.pid, 'SIGKILL')
await workUntilDeath(work, { database, broker: remoteBroker(brokerUrl), die })
process.stdout.write('reached the end without that step\n')
process.exit(3)

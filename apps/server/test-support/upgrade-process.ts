// Brings the database of a folder to a new PostgreSQL, for a test that kills the process meanwhile.
import { upgradeCluster } from '../src/adapters/postgres/upgrade-cluster.ts'
import { createLog } from '../src/log.ts'

await upgradeCluster(process.argv[2]!, createLog({ logLevel: 'silent' }))

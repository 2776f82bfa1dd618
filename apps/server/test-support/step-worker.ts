import { createLog } from '../src/log.ts'
import { connectDatabase } from '../src/stores/database.ts'
import { stepJobKind } from './step-job-kind.ts'
import { openTestJobs } from './test-jobs.ts'

// A worker process of its own that runs step jobs, to be killed by a test. Ends by itself when the test is gone.
const url = process.argv[2]!
const { database } = connectDatabase(url, createLog({ logLevel: 'silent' }), 2)
await openTestJobs(url, [stepJobKind(database)], { run: true })
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

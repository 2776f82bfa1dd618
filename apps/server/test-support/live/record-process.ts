import { ManualClock } from '@tradewright/core/clock'
import { dateOf, epochDayOf } from '@tradewright/core/time'
import { sampleData } from '@tradewright/engine/backtest/test-support/market-files'
import { flushCompileCache } from 'node:module'
import { StrategyRecords } from '../../src/forward-records/strategy-records.ts'
import type { LiveStores } from '../../src/live-trading/ports/database.ts'
import { createLog } from '../../src/log.ts'
import { connectDatabase } from '../../src/stores/database.ts'
import { createLiveDatabase } from '../../src/stores/live-trading/live-database.ts'
import { engineSignalService } from './engine-signal-service.ts'
import type { RecordStep } from './record-steps.ts'

/** A process that decides for saved strategies and dies by kill -9 right after a step. */
const [databaseUrl, now, deadly] = JSON.parse(process.argv[2]!) as [string, number, RecordStep]
// It never ends in the way in which compiled sources are kept for the next one.
flushCompileCache()
const log = createLog({ logLevel: 'silent' })
const stores = createLiveDatabase(connectDatabase(databaseUrl, log, 4).database)
const signalService = engineSignalService(
  sampleData(['SPY', 'AGG', 'QQQ', 'TB3MS'], dateOf('2022-01-03'), epochDayOf(now)),
)

async function dyingAfter<Answer>(step: RecordStep, work: Promise<Answer>): Promise<Answer> {
  const answer = await work
  if (step === deadly) process.kill(process.pid, 'SIGKILL')
  return answer
}

const dying = ({ records, ...others }: LiveStores): LiveStores => ({
  ...others,
  records: {
    ...records,
    claimDue: (...asked) => dyingAfter('taken', records.claimDue(...asked)),
    keepModel: (...asked) => dyingAfter('model-kept', records.keepModel(...asked)),
    appendStrategy: (...asked) => dyingAfter('entry-written', records.appendStrategy(...asked)),
  },
})
const deciding = new StrategyRecords({
  database: {
    ...dying(stores),
    transaction: (work) =>
      dyingAfter(
        'entry-committed',
        stores.transaction((within) => work(dying(within))),
      ),
  },
  signalService: { ...signalService, signal: (...asked) => dyingAfter('decided', signalService.signal(...asked)) },
  clock: new ManualClock(new Date(now)),
  log,
  signal: new AbortController().signal,
})
await deciding.poll()
process.stdout.write('reached the end without that step\n')
process.exit(3)

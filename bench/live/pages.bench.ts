import { type Bench, benchRow, median } from '../bench.ts'
import { newTrader, startLiveProgram, type LiveProgram } from './live-program.ts'

const ENTRIES = 1_000_000
const LINES = 850_000
const ROUNDS = 15

const config = {
  allocations: [{ ticker: 'SPY', allocation: 100 }],
  startDate: '2020-01-02',
  endDate: '2025-12-31',
  dataProvider: 'sample',
}

/** Pages of a ledger of a million entries and the tail of a log of 100 MB, through the calls of the screens. */
const pages: Bench = {
  name: 'live-pages',
  async run(report) {
    const program = await startLiveProgram()
    try {
      const trader = await newTrader(program.url, 'pages@example.com')
      const form = { capital_policy_value: 10_000 }
      const id = await trader.deploy('Busy', { type: 'Asset Allocation', config }, form)
      await fill(program, id, trader.accountId)
      const goal = { on: 'ours', under: 50 } as const
      const figure = async (bench: string, path: string) => {
        const times: number[] = []
        for (let round = 0; round < ROUNDS; round++) {
          const began = performance.now()
          await trader.get(path)
          times.push(performance.now() - began)
        }
        report(benchRow({ bench: `live-pages/${bench}`, ours: median(times), unit: 'ms', goal }))
      }
      const details = `/api/deployment/${id}/details?page_size=50`
      await figure('ledger, first page', `${details}&page=1`)
      await figure('ledger, middle page', `${details}&page=10000`)
      await figure('ledger, last page', `${details}&page=20000`)
      await figure('ledger, one type, middle page', `${details}&entry_types=FEE&page=2500`)
      await figure('ledger, three types, middle page', `${details}&entry_types=FEE,TRADE_BUY,SNAPSHOT&page=7500`)
      await figure('log, last 1,000 lines', `/api/deployment/${id}/logs/tail?lines=1000`)
    } finally {
      await program.stop()
    }
  },
}
export default pages

/** Straight into the tables, as a year of a busy deployment would have left them. */
async function fill({ foundation: { pool } }: LiveProgram, deploymentId: number, accountId: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    // The triggers would count every entry; here they are counted at the end.
    await client.query('SET LOCAL session_replication_role = replica')
    await client.query(
      `INSERT INTO ledger_entries (account_id, deployment_id, number, type_number, entry_type, key, recorded_at, direction, amount,
         note, legs, cash_after, equity_after, account_value_after, positions_after)
       SELECT $1, $2, n, (n + 2) / 4, (ARRAY['TRADE_BUY', 'TRADE_SELL', 'FEE', 'SNAPSHOT'])[1 + n % 4], 'bench:' || n,
         timestamptz '2026-01-02' + n * interval '20 seconds', 'out', n % 1000, 'Bought 1.5 SPY at $412.50',
         '[]', 1000, 10000, 100000, '{"SPY": "12.5", "TLT": "40.25"}'
       FROM generate_series(2, $3::int + 1) AS n`,
      [accountId, deploymentId, ENTRIES],
    )
    await client.query(
      `INSERT INTO ledger_counts SELECT deployment_id, entry_type, count(*) FROM ledger_entries
       WHERE deployment_id = $1 GROUP BY 1, 2
       ON CONFLICT (deployment_id, entry_type) DO UPDATE SET entries = excluded.entries`,
      [deploymentId],
    )
    await client.query(
      `INSERT INTO deployment_log (deployment_id, line)
       SELECT $1, '2026-03-04 16:00:00,123 - [INFO] - live_trading - propose:41 - Generating Signal: probability 0.5312. Line ' || n
       FROM generate_series(1, $2::int) AS n`,
      [deploymentId, LINES],
    )
    await client.query('COMMIT')
    await client.query('ANALYZE ledger_entries, ledger_counts, deployment_log')
  } finally {
    client.release()
  }
}

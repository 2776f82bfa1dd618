import type { Bench } from '../bench.ts'
import { measureForest } from './forest-speed.ts'
import {
  poolPicks,
  poolTable,
  poolWindow,
  poolWindows,
  studioTable,
  studioWindow,
  studioWindows,
} from './market-data.ts'

const bench: Bench = {
  name: 'forest-small',
  async run(report) {
    const studio = { table: studioTable(7), picks: null, trees: 3000, leaf: 3, split: 3, seed: 1 }
    await measureForest(
      {
        name: 'forest-small/W1 Studio default, 3,000 trees',
        work: { ...studio, windows: [studioWindow] },
        units: 1,
        goals: [30, 45],
        peerWays: ['jobs'],
      },
      report,
    )
    await measureForest(
      {
        name: 'forest-small/W1wf ten refits of 3,000 trees',
        work: { ...studio, windows: studioWindows },
        units: 1,
        goals: [40, 60],
        peerWays: ['jobs', 'processes'],
        peerRepeats: 1,
      },
      report,
    )
    const pool = { table: poolTable(8), trees: 100, leaf: 1, split: 2, seed: 1 }
    for (const [name, windows, goals] of [
      ['forest-small/W2 one optimizer evaluation', [poolWindow], [50, 60]],
      ['forest-small/W2wf one evaluation over 6 windows', poolWindows, [70, 75]],
    ] as const) {
      const ours = { ...pool, windows, picks: poolPicks(200, 9) }
      const theirs = { ...pool, windows, picks: poolPicks(200, 9).slice(0, 16) }
      await measureForest(
        { name, work: ours, units: 200, peerWork: theirs, peerUnits: 16, goals, peerWays: ['processes'] },
        report,
      )
    }
  },
}

export default bench

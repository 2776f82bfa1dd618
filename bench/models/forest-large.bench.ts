import type { Bench } from '../bench.ts'
import { measureForest } from './forest-speed.ts'
import { largeTable, largeWindow } from './market-data.ts'

const bench: Bench = {
  name: 'forest-large',
  async run(report) {
    const work = { table: largeTable(10), windows: [largeWindow], picks: null, leaf: 1, split: 2, seed: 1 }
    await measureForest(
      {
        name: 'forest-large/W3 forest, 500,000 rows x 20, per tree',
        work: { ...work, trees: 16 },
        units: 16,
        peerWork: { ...work, trees: 4 },
        peerUnits: 4,
        goals: [15, 15],
        peerWays: ['jobs'],
        peerRepeats: 1,
      },
      report,
    )
  },
}

export default bench

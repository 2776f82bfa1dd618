import { fitLinear } from '@tradewright/engine/models/linear/model'
import { rowRange } from '@tradewright/engine/models/splits'
import type { Bench } from '../bench.ts'
import { REPEATS, speedRow, timed } from './timing.ts'
import { studioTable, studioWindow } from './market-data.ts'
import { Peer } from './peer.ts'

const OURS = 300

const bench: Bench = {
  name: 'linear',
  async run(report) {
    const table = studioTable(7)
    const [from, to, end] = studioWindow
    const trainRows = rowRange(from, to)
    const testRows = rowRange(to, end)
    const many = () => {
      for (let i = 0; i < OURS; i++) fitLinear(table.columns, table.labels, trainRows).predict(table.columns, testRows)
    }
    const peer = await Peer.open('sklearn_linear', table)
    try {
      // Twice: the compiler needs a while on a busy machine.
      many()
      many()
      const ours: number[] = []
      const theirs: number[] = []
      let name = ''
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        ours.push((await timed(many)).cpuMs / OURS)
        const answer = await peer?.run({ windows: [studioWindow], picks: null, settings: { repeats: 50 } })
        if (answer === undefined) continue
        name = answer.name
        theirs.push(answer.cpuMs)
      }
      report(speedRow('linear/W5', ours, peer === null ? null : { name, values: theirs }, 7))
    } finally {
      peer?.close()
    }
  },
}

export default bench

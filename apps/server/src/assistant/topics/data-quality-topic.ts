import type { Topic } from '../area.ts'
import type { DataQualityTools } from '../tools/data-quality-tools.ts'
import { count, date, paragraphs, plain, SYNTHETIC_NOTE, table } from '../words.ts'

const MAX_ROWS = 10

export const dataQualityTopic = (tools: DataQualityTools): Topic => ({
  example: 'How good is my stored data?',
  matches: (words) =>
    /data quality|\bgaps?\b|\bstale\b|missing data|stored data|(good|clean|complete).*\bdata\b/.test(words),
  async answer(caller) {
    const { store, series, total } = await tools.getDataQuality.run(caller, {})
    if (total === 0)
      return `The store **${plain(store)}** is empty. Collect prices in the [Data Collector](/data-collector), or run a backtest, which fetches what it needs.`
    const faulty = series.filter(
      (one) => one.missing_rows + one.suspicious_jumps + one.contradictions > 0 || one.is_stale,
    )
    return paragraphs(
      faulty.length === 0
        ? `No faults were found in the ${count(total)} series of **${plain(store)}**.`
        : `${count(faulty.length)} of the ${count(total)} series in **${plain(store)}** ${faulty.length === 1 ? 'needs' : 'need'} a look:`,
      table(
        ['Ticker', 'Rows', 'From', 'To', 'Missing', 'Jumps', 'Stale'],
        (faulty.length > 0 ? faulty : series)
          .slice(0, MAX_ROWS)
          .map((one) => [
            `${plain(one.ticker)} (${one.granularity})`,
            count(one.rows),
            one.first ? date(one.first) : '',
            one.last ? date(one.last) : '',
            count(one.missing_rows),
            count(one.suspicious_jumps),
            one.is_stale ? 'yes' : 'no',
          ]),
      ),
      series.some(({ synthetic }) => synthetic) && SYNTHETIC_NOTE,
      '[Data Collector](/data-collector)',
    )
  },
})

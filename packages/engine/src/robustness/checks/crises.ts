import { dateOf } from '@tradewright/core/time'
import { graded } from '../../optimizer/verdicts.ts'
import { oneGo, skip } from '../check.ts'

interface Crisis {
  readonly name: string
  /** The last close of the S&P 500 before the fall, and its lowest one. */
  readonly peak: string
  readonly trough: string
}

/** Falls of the S&P 500 that have a name, from its highest to its lowest close. */
const CRISES: readonly Crisis[] = [
  { name: 'Black Monday', peak: '1987-08-25', trough: '1987-12-04' },
  { name: 'Gulf War', peak: '1990-07-16', trough: '1990-10-11' },
  { name: 'Asia and Russia', peak: '1998-07-17', trough: '1998-08-31' },
  { name: 'Dot-com crash', peak: '2000-03-24', trough: '2002-10-09' },
  { name: 'Global financial crisis', peak: '2007-10-09', trough: '2009-03-09' },
  { name: 'Flash crash and Greece', peak: '2010-04-23', trough: '2010-07-02' },
  { name: 'Euro debt crisis', peak: '2011-04-29', trough: '2011-10-03' },
  { name: 'China and oil', peak: '2015-07-20', trough: '2016-02-11' },
  { name: 'Fourth-quarter sell-off', peak: '2018-09-20', trough: '2018-12-24' },
  { name: 'Covid crash', peak: '2020-02-19', trough: '2020-03-23' },
  { name: 'Rate shock', peak: '2022-01-03', trough: '2022-10-12' },
  { name: 'Tariff sell-off', peak: '2025-02-19', trough: '2025-04-08' },
]

/** Less than this is no difference. */
const HARDLY = 0.001

const yearsOf = ({ peak, trough }: Crisis): string => {
  const [from, to] = [peak.slice(0, 4), trough.slice(0, 4)]
  return from === to ? from : `${from}–${to.slice(2)}`
}

/** The return between the last closes at or before two days; null where the curve does not cover both. */
function returnBetween(days: Int32Array, growth: Float64Array, from: number, to: number): number | null {
  const [first, last] = [days.findLastIndex((day) => day <= from), days.findLastIndex((day) => day <= to)]
  if (first < 0 || last <= first || days.at(-1)! < to) return null
  const [start, end] = [growth[first]!, growth[last]!]
  return start > 0 && end >= 0 ? end / start - 1 : null
}

export const crisesCheck = oneGo({
  key: 'crises',
  label: 'In crises',
  explain: 'The return in well-known falls of the S&P 500, from its highest to its lowest close.',
  whyNot: ({ isSynthetic }) => (isSynthetic ? 'the prices are synthetic and contain no crisis' : undefined),
  find({ material, base }) {
    const { reference } = material
    const found = CRISES.flatMap((crisis) => {
      const [from, to] = [dateOf(crisis.peak), dateOf(crisis.trough)]
      const own = returnBetween(base.days, base.growth, from, to)
      const other = reference ? returnBetween(base.days, reference.growth, from, to) : null
      return own === null ? [] : [{ crisis, own, other }]
    })
    if (found.length === 0) return skip('no crisis of the list lies in the period')
    const compared = found.filter(({ other }) => other !== null)
    const worse = compared.filter(({ own, other }) => own < other! - HARDLY).length
    const share = worse / compared.length
    return {
      ...(compared.length > 0 && {
        judgement: {
          ...graded(share, share <= 0.5, true, [
            `Falls no more than ${reference!.name}`,
            `Falls more than ${reference!.name}`,
            `Falls more than ${reference!.name}`,
          ]),
          sentence: `It did worse than ${reference!.name} in ${worse} of ${compared.length} crises.`,
        },
      }),
      summary: 'Total return from the highest to the lowest close of the S&P 500.',
      details: {
        kind: 'table',
        rowLabel: 'Period',
        columns: [
          { label: 'Strategy', unit: 'percent', isReturn: true },
          ...(reference ? [{ label: reference.name, unit: 'percent' as const, isReturn: true }] : []),
        ],
        rows: found.map(({ crisis, own, other }) => ({
          label: crisis.name,
          hint: yearsOf(crisis),
          cells: reference ? [own, other] : [own],
        })),
      },
    }
  },
})

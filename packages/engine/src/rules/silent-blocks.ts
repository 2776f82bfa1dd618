import type { RulesInputs } from './inputs.ts'
import type { ProgramOperand, RulesProgram } from './program.ts'

/** A condition or a pick that decided nothing in a run, and why. */
export interface SilentBlock {
  readonly id: string
  readonly sentence: string
}

/**
 * Conditions and picks that have no value at any bar, mostly for lack of history. Of a pick it is enough that one member has
 * values; the others are left out as long as they have none.
 */
export const silentBlocks = (program: RulesProgram, { columns }: Pick<RulesInputs, 'columns'>): SilentBlock[] => [
  ...silentConditions(program, columns),
  ...silentPicks(program, columns),
]

type Columns = RulesInputs['columns']

function silentConditions({ conditions, features }: RulesProgram, columns: Columns): SilentBlock[] {
  // A condition of a pick stands for one of each member.
  const byId = Map.groupBy(
    conditions.filter((condition) => condition.kind === 'compare'),
    ({ id }) => id,
  )
  return [...byId].flatMap(([id, copies]) => {
    const empty = copies.map(({ left, right }) => emptyColumn(left, columns) ?? emptyColumn(right, columns))
    return silentAt(id, empty, features)
  })
}

function silentPicks({ sleeves, features }: RulesProgram, columns: Columns): SilentBlock[] {
  return sleeves.flatMap(({ id, division }) => {
    if (division.kind !== 'pick') return []
    const { members, risk, volatilityTarget } = division
    const needed = members.map(({ score }, member) => {
      const volatilities = [risk, volatilityTarget].flatMap((one) => one?.volatilities[member] ?? [])
      return (score && emptyColumn(score, columns)) ?? volatilities.find((column) => isEmpty(columns[column]!))
    })
    return silentAt(id, needed, features)
  })
}

/** By copy of a block: the column that has no value, undefined where all have some. */
function silentAt(
  id: string,
  empty: readonly (number | undefined)[],
  features: RulesProgram['features'],
): SilentBlock[] {
  const [column] = empty
  if (column === undefined || empty.includes(undefined)) return []
  const { label, definition, values } = features[column]!
  const sentence =
    `${label} has no value on any bar of the run. It needs ${(definition.warmUp(values) + 1).toLocaleString('en-US')} ` +
    'bars of history: choose a later start, a shorter window or a ticker with more history.'
  return [{ id, sentence }]
}

const emptyColumn = ({ terms }: ProgramOperand, columns: Columns): number | undefined =>
  terms.find(({ column }) => isEmpty(columns[column]!))?.column

/** Most have a value at the end. */
const isEmpty = (column: Columns[number]): boolean =>
  Number.isNaN(column.at(-1) ?? Number.NaN) && column.every(Number.isNaN)

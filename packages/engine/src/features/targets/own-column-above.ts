import { columnParameter, ownColumnOf, defineTarget, horizonParameter, labelWhere } from '../feature.ts'

export const ownColumnAbove = defineTarget({
  id: 7,
  key: 'own_column_above',
  name: 'Column of an imported file above threshold',
  description: 'The value of the column that is known this many bars ahead is above the threshold.',
  parameters: [
    columnParameter,
    horizonParameter(5),
    {
      name: 'threshold',
      label: 'Threshold',
      type: 'float',
      default: 0,
      description: 'Value to be exceeded, in the unit of the column.',
    },
  ],
  horizon: (values) => values.number('horizon'),
  compute: ({ bars }, values) => {
    const column = ownColumnOf(bars, values.text('column'))
    const [horizon, threshold] = [values.number('horizon'), values.number('threshold')]
    const ahead = column.map((_, row) => (row + horizon < column.length ? column[row + horizon]! : Number.NaN))
    return labelWhere(ahead, (value) => value > threshold)
  },
})

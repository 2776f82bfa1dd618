import { defineFeature, columnParameter, ownColumnOf } from '../feature.ts'

export const ownColumn = defineFeature({
  id: 37,
  key: 'own_column',
  name: 'Column of an imported file',
  description:
    'The last published value of a column that a CSV file was imported with, beside its prices or without any.',
  source: 'as imported, from its publication on; beside prices from the end of the period after its own on',
  parameters: [columnParameter],
  warmUp: () => 0,
  compute: ({ bars }, values) => ownColumnOf(bars, values.text('column')),
})

import { fieldOf, defineTarget, horizonParameter, labelWhere } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { rollingVolatility } from '../formulas.ts'

export const volatilityRegime = defineTarget({
  id: 5,
  key: 'volatility_regime',
  name: 'Volatility regime',
  description: 'Calm ahead: the volatility of the next bars is below that of the last ones.',
  parameters: [{ ...horizonParameter(20), min: 2 }, windowParameter(60, 2)],
  horizon: (values) => values.number('horizon'),
  overlap: (values) => values.number('horizon') + values.number('window'),
  // Volatility returns to its average, even that of independent returns: the higher it was, the likelier is calm.
  knownBefore: {
    kind: 'volatility_level',
    compute: ({ bars }, values) =>
      rollingVolatility.compute([fieldOf(bars, 'close')], { window: values.number('window') }).map(Math.log),
  },
  compute: ({ bars }, values) => {
    const close = fieldOf(bars, 'close')
    const horizon = values.number('horizon')
    const past = rollingVolatility.compute([close], { window: values.number('window') })
    // The window that ends at t + horizon holds exactly the changes after t.
    const rolling = rollingVolatility.compute([close], { window: horizon })
    const ahead = close.map((_, row) =>
      Number.isNaN(past[row]!) ? Number.NaN : (rolling[row + horizon] ?? Number.NaN),
    )
    return labelWhere(ahead, (volatility, row) => volatility < past[row]!)
  },
})

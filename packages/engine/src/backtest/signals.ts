/** A model's prediction for one row. */
export type Signal = 0 | 1

/** Just as likely as not is no reason to buy. */
export const signalOf = (probability: number): Signal => (probability > 0.5 ? 1 : 0)

/** Predictions for the bars of a run; -1 where there is none. */
export interface SignalColumn {
  readonly signals: Int8Array
  readonly probabilities: Float64Array
}

export const noSignals = (bars: number): SignalColumn => ({
  signals: new Int8Array(bars).fill(-1),
  probabilities: new Float64Array(bars).fill(Number.NaN),
})

/** Enters what was predicted for some rows. */
export function enterPredictions(into: SignalColumn, rows: Int32Array, probabilities: Float64Array): void {
  for (let i = 0; i < rows.length; i++) {
    into.signals[rows[i]!] = signalOf(probabilities[i]!)
    into.probabilities[rows[i]!] = probabilities[i]!
  }
}

/** Trades when the signal changes: the target weights of each new signal, from the first one on. */
export function decideBySignal(
  signals: Int8Array,
  weights: Readonly<Record<Signal, Float64Array>>,
): (bar: number) => Float64Array | undefined {
  let held = -1
  return (bar) => {
    const signal = signals[bar]!
    if (signal === held || signal === -1) return undefined
    held = signal
    return signal === 1 ? weights[1] : weights[0]
  }
}

/** Adding and subtracting it rounds to a whole number. */
const ROUNDER = 6755399441055744

/** e^x from additions and multiplications alone: `Math.exp` may differ from machine to machine. Error about 1e-9. */
export function exponential(value: number): number {
  const x = Math.max(-80, Math.min(80, value))
  const k = x * Math.LOG2E + ROUNDER - ROUNDER
  const r = x - k * Math.LN2
  let p = 1 / 5040 + r * (1 / 40320)
  p = 1 / 720 + r * p
  p = 1 / 120 + r * p
  p = 1 / 24 + r * p
  p = 1 / 6 + r * p
  p = 0.5 + r * p
  p = 1 + r * p
  p = 1 + r * p
  return p * 2 ** k
}

export function logistic(margin: number): number {
  return 1 / (1 + exponential(-margin))
}

interface WindowStep {
  trainFrom: number
  testFrom: number
  testTo: number
}

const AT_MOST = 40

/** The windows in percent of the rows, as train, test and step give them. None where the numbers make no window. */
export function windowLayout(trainPct: number, testPct: number, stepPct: number | null): WindowStep[] {
  const isSensible = trainPct > 0 && testPct > 0 && stepPct !== null && stepPct > 0
  if (!isSensible) return []
  const count = Math.floor((100 - trainPct - testPct) / stepPct + 1e-9) + 1
  return Array.from({ length: Math.max(0, Math.min(AT_MOST, count)) }, (_, index) => {
    const trainFrom = index * stepPct
    return { trainFrom, testFrom: trainFrom + trainPct, testTo: trainFrom + trainPct + testPct }
  })
}

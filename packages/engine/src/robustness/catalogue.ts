import type { Check } from './check.ts'
import { assetsCheck } from './checks/assets.ts'
import { bestDaysCheck } from './checks/best-days.ts'
import { bootstrapCheck } from './checks/bootstrap-check.ts'
import { costsCheck } from './checks/costs.ts'
import { crisesCheck } from './checks/crises.ts'
import { crossValidationCheck } from './checks/cross-validation.ts'
import { delayCheck } from './checks/delay.ts'
import { futureCheck } from './checks/future.ts'
import { halvesCheck } from './checks/halves.ts'
import { holdingCheck } from './checks/holding.ts'
import { neighbourhoodCheck } from './checks/neighbourhood.ts'
import { permutedCheck } from './checks/permuted.ts'
import { rebalanceDaysCheck } from './checks/rebalance-days.ts'
import { regimesCheck } from './checks/regimes.ts'
import { startDatesCheck } from './checks/start-dates.ts'

/** Every check of the board, in the order of the screen. One more is one more entry. */
export const checks: readonly Check[] = [
  futureCheck,
  bootstrapCheck,
  permutedCheck,
  holdingCheck,
  crossValidationCheck,
  costsCheck,
  startDatesCheck,
  rebalanceDaysCheck,
  neighbourhoodCheck,
  delayCheck,
  bestDaysCheck,
  crisesCheck,
  regimesCheck,
  halvesCheck,
  assetsCheck,
] as readonly Check[]

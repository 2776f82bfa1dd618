import type { Feature, Target } from '@tradewright/contract/features'
import { defaultParams } from '../../../strategy-form/catalogue.ts'
import { starterFeatures, starterTarget } from '../../../strategy-form/starter-set.ts'
import type { BacktestForm } from './form.ts'

/** Yesterday's change is what the target asks for, one bar late: the form would warn of it. */
const isNotTarget = ({ key }: Feature) => key !== 'percent_change'

/** Features and a target to begin with, of the ticker that is to be bought. */
export function starterMl(
  features: readonly Feature[],
  targets: readonly Target[],
  ticker: string,
): Pick<BacktestForm, 'features' | 'target'> {
  const paramsOf = ({ config }: Feature | Target) => {
    const params = defaultParams(config.params_def)
    return 'ticker' in params ? { ...params, ticker } : params
  }
  const target = starterTarget(targets)
  return {
    features: starterFeatures(features)
      .filter(isNotTarget)
      .map((feature, key) => ({
        key,
        id: feature.id,
        name: feature.name,
        params: paramsOf(feature),
      })),
    target: target ? { id: target.id, params: paramsOf(target) } : null,
  }
}

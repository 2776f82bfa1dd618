import type { OptimizationRequest, TargetChoice } from '@tradewright/contract/optimizer-form'
import { Problem } from '@tradewright/core/problem'
import { targetOf } from '@tradewright/engine/features/catalogue'
import type { SearchTarget } from '@tradewright/engine/optimizer/request'
import { tickersOf } from '../input/ticker-text.ts'

export interface ListedTickers {
  readonly targets: readonly string[]
  readonly related: readonly string[]
}

/** The targets of a request: those it lists, else its one target for each of its tickers, else for those of its lists. */
export function searchTargets(body: OptimizationRequest, { targets: listed, related }: ListedTickers): SearchTarget[] {
  const choices = body.targets ?? []
  if (choices.length === 0 && isMissing(body.target_id)) throw invalid('Choose a target for prediction')
  const given = choices.length > 0 ? choices.flatMap((choice) => spread(choice, body)) : ofTickers(body, listed)
  if (given.length === 0) throw invalid('Add at least one target ticker before running the optimizer.')
  return given.map((choice) => targetFrom(choice, related))
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** One choice may name several tickers. */
const spread = (choice: TargetChoice, body: OptimizationRequest): TargetChoice[] =>
  tickersOf(choice.target_asset).map((asset) => ({
    target_asset: asset,
    target_id: isMissing(choice.target_id) ? body.target_id : choice.target_id,
    related_assets: choice.related_assets,
    params: choice.params,
  }))

function ofTickers(body: OptimizationRequest, listed: readonly string[]): TargetChoice[] {
  const own = tickersOf(body.target_asset)
  return (own.length > 0 ? own : listed).map((asset) => ({ target_asset: asset, target_id: body.target_id }))
}

function targetFrom(
  { target_asset: asset, target_id: id, related_assets, params }: TargetChoice,
  related: readonly string[],
): SearchTarget {
  const own = tickersOf(related_assets)
  const assets = own.length > 0 ? own : related
  return {
    asset,
    selection: { id: targetId(id), params: { ...params, ticker: asset } },
    relatedAssets: assets.filter((one) => one !== asset),
  }
}

/** A number, or the name or key of a target. */
function targetId(id: TargetChoice['target_id']): number {
  const sentence = 'Select a valid target definition before running the optimizer.'
  if (isMissing(id) || (typeof id === 'number' && !Number.isFinite(id))) throw invalid(sentence)
  try {
    return targetOf(id!).id
  } catch (error) {
    throw new Problem('invalid', 'optimizer.form', sentence, { cause: error })
  }
}

const invalid = (sentence: string) => new Problem('invalid', 'optimizer.form', sentence)

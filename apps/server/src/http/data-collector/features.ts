import * as contract from '@tradewright/contract/features'
import { allFeatures, allTargets } from '@tradewright/engine/features/catalogue'
import type { ParameterDefinition } from '@tradewright/engine/features/parameters'
import type { Handle } from '../server/handle.ts'

export function serveFeatures(handle: Handle): void {
  handle(contract.listFeatures, async () => ({ features: FEATURES }))
  handle(contract.listTargets, async () => ({ targets: TARGETS }))
}

const parameterToWire = (one: ParameterDefinition): contract.ParameterDefinition => ({
  name: one.name,
  label: one.label,
  type: one.type,
  default: one.default,
  readonly: false,
  required: one.required ?? false,
  options: one.options ? [...one.options] : null,
  step: one.step ?? null,
  min: one.min ?? null,
  max: one.max ?? null,
  description: one.description,
})

const configOf = (parameters: readonly ParameterDefinition[]) => ({ params_def: parameters.map(parameterToWire) })

const FEATURES = allFeatures.map(({ id, key, name, description, source, parameters }) => ({
  id,
  key,
  name,
  description,
  source,
  config: configOf(parameters),
}))

const TARGETS = allTargets.map(({ id, key, name, description, parameters }) => ({
  id,
  key,
  name,
  description,
  config: configOf(parameters),
}))

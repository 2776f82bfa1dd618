import type { ModelKind } from '@tradewright/core/model-catalogue'
import { Random } from '@tradewright/core/random'
import { allocationRequest, mlStrategy } from '@tradewright/engine/backtest/test-support/requests'
import { defaultBoostingSettings } from '@tradewright/engine/models/boosting/settings'
import { defaultForestSettings } from '@tradewright/engine/models/forest/settings'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFor, fileOf, FROM, randomRequest, treesOfSampleMarket, verdictOn } from './passports.ts'

// Makes passports, or verifies those of another machine: `passport-program make|verify <folder>`.
const RANDOM_STRATEGIES = 60

const trees = { ...defaultForestSettings, trees: 15 }
const MODELS: Readonly<Record<ModelKind, ModelChoice>> = {
  forest: { kind: 'forest', settings: trees },
  'extra-trees': { kind: 'extra-trees', settings: { ...trees, bootstrap: false } },
  boosting: { kind: 'boosting', settings: { ...defaultBoostingSettings, rounds: 15 } },
  linear: { kind: 'linear' },
}

function* strategies() {
  const random = new Random(64)
  for (let i = 0; i < RANDOM_STRATEGIES; i++) {
    const request = randomRequest(random, i)
    const model = request.strategy.kind === 'ml' ? MODELS.linear : undefined
    yield { name: `random-${i}-${request.strategy.kind}`, request, model }
  }
  for (const { key, tree } of treesOfSampleMarket) {
    const strategy = { kind: 'rules', tree } as const
    yield {
      name: `rules-${key}`,
      request: allocationRequest({}, { from: FROM, to: FROM + 500, strategy }),
      model: undefined,
    }
  }
  for (const [kind, model] of Object.entries(MODELS)) {
    const features = [7, 1, 11].map((id) => ({ id, params: { ticker: 'SPY', window: 14 } }))
    const strategy = { ...mlStrategy, features }
    yield { name: `model-${kind}`, request: allocationRequest({}, { from: FROM, to: FROM + 700, strategy }), model }
  }
}

const [, , command, folder] = process.argv
if (command === 'make') {
  mkdirSync(folder!, { recursive: true })
  for (const { name, request, model } of strategies()) {
    writeFileSync(join(folder!, `${name}.json`), await fileOf(request, model, dataFor(request), true))
  }
} else {
  for (const file of readdirSync(folder!)) {
    const { changed, data, figures, comparedFigures } = await verdictOn(
      readFileSync(join(folder!, file), 'utf8'),
      undefined,
    )
    const differences = [...changed, ...data, ...figures]
    const told = { file, processor: process.arch, comparedFigures, differences: differences.slice(0, 3) }
    process.stdout.write(`${JSON.stringify(told)}\n`)
  }
}

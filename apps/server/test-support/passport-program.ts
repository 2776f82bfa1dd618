import { modelCatalogue } from '@tradewright/core/model-catalogue'
import { Random } from '@tradewright/core/random'
import { allocationRequest, mlStrategy } from '@tradewright/engine/backtest/test-support/requests'
import { choiceOf } from '@tradewright/engine/models/catalogue'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFor, fileOf, FROM, randomRequest, treesOfSampleMarket, verdictOn } from './passports.ts'

// Makes passports, or verifies those of another machine: `passport-program make|verify <folder>`.
const RANDOM_STRATEGIES = 60

const SMALL = { trees: { trees: 15 }, rounds: { rounds: 15 }, none: {} }

function* strategies() {
  const random = new Random(64)
  for (let i = 0; i < RANDOM_STRATEGIES; i++) {
    const request = randomRequest(random, i)
    const model = request.strategy.kind === 'ml' ? choiceOf('linear') : undefined
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
  for (const { kind, settings } of modelCatalogue) {
    const features = [7, 1, 11].map((id) => ({ id, params: { ticker: 'SPY', window: 14 } }))
    const strategy = { ...mlStrategy, features }
    yield {
      name: `model-${kind}`,
      request: allocationRequest({}, { from: FROM, to: FROM + 700, strategy }),
      model: choiceOf(kind, SMALL[settings]),
    }
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

import { expect, it } from 'vitest'
import { nearTests, testFileOf } from './near-tests.ts'

const sources = new Map([
  ['packages/core/src/money.ts', ''],
  ['packages/core/src/money.test.ts', "import { usd } from './money.ts'"],
  ['apps/server/src/orders/orders.ts', "import { usd } from '@tradewright/core/money'"],
  ['apps/server/src/orders/orders.test.ts', "import { order } from './orders.ts'"],
  ['apps/server/src/types.ts', "import type { Usd } from '@tradewright/core/money'"],
  ['apps/server/src/types.test.ts', "import { one } from './types.ts'"],
  ['apps/server/src/main.ts', "import { order } from './orders/orders.ts'"],
  ['apps/server/src/kill.test.ts', "spawn(node, ['apps/server/src/main.ts'])"],
  ['scripts/words.test.ts', "globSync('**/*.ts')"],
  ['e2e/home.spec.ts', ''],
  ['e2e/orders.spec.ts', ''],
])
const filesOf = (tests: readonly { file: string }[]) => tests.map(({ file }) => file)

it('orders tests by the imports between them and the change, those through the whole server last', () => {
  const { near, rules, far, others, stories } = nearTests(sources, ['packages/core/src/money.ts'])
  expect(filesOf(near)).toEqual(['packages/core/src/money.test.ts', 'apps/server/src/orders/orders.test.ts'])
  expect(filesOf(rules)).toEqual(['scripts/words.test.ts'])
  expect(filesOf(far)).toEqual(['apps/server/src/kill.test.ts'])
  expect(filesOf(others)).toEqual(['apps/server/src/types.test.ts'])
  expect(stories).toHaveLength(2)
})

it('begins with the stories whose names share words with the changed path', () => {
  const { stories } = nearTests(sources, ['apps/web/src/features/orders/orders-screen.tsx'])
  expect(filesOf(stories)).toEqual(['e2e/orders.spec.ts', 'e2e/home.spec.ts'])
})

it.each([
  ['apps/server/src/kill.rest.test.ts', 'unit', 'rest'],
  ['apps/server/src/kill.test.ts', 'unit', 'test'],
  ['apps/web/src/ui/field.component.test.tsx', 'component', 'test'],
  ['e2e/offline.rest.spec.ts', 'story', 'rest'],
])('knows what runs %s', (file, kind, tier) => {
  expect(testFileOf(file)).toEqual({ file, kind, tier })
})

import { liveTradingCalls, newWorld, type World } from '../apps/web/test-support/live-trading-stand-in.ts'
import type { Served } from '../apps/web/test-support/served.ts'
import { standIn } from './stand-in.ts'
import type { Page } from './story.ts'

/** The calls of Live Trading without a server behind them; `first` are the answers that a story gives itself. */
export async function liveTradingStandIn(
  page: Page,
  known: Partial<World> = {},
  first: (world: World) => readonly Served[] = () => [],
): Promise<World> {
  const world = newWorld(known)
  await standIn(page, [...first(world), ...liveTradingCalls(world)])
  return world
}

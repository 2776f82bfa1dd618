import { kindNamed } from '@tradewright/core/strategy-kinds'
import { targetName } from '@tradewright/core/external-signal'
import { z } from 'zod'
import { type SignalLogDeps, signalsOf } from '../../external-signals/own-signals.ts'
import { findStrategy } from '../../strategies/own-strategies.ts'
import { defineTool } from '../tool.ts'

const MAX_STRATEGIES = 10
const MAX_ENTRIES = 10

export const signalTools = (deps: SignalLogDeps) => ({
  listSignals: defineTool({
    name: 'list_external_signals',
    description:
      'What strategies of the type External signal received from other programs: the signal that counts now, and the ' +
      'newest ones with why any was refused. Of all of them, or of one by its strategy_id.',
    note: 'Looking at received signals',
    input: z.object({ strategy_id: z.int().optional() }),
    async run({ userId }, { strategy_id: id }) {
      const all = id === undefined ? await deps.strategies.list(userId) : [await findStrategy(deps, userId, id)]
      const external = all.filter(({ type }) => kindNamed(type).receivesSignals)
      return {
        total: external.length,
        strategies: await Promise.all(
          external.slice(0, MAX_STRATEGIES).map(async (strategy) => {
            const { address, entries, accepted, current } = await signalsOf(deps, userId, strategy.id)
            return {
              strategy_id: strategy.id,
              name: strategy.name,
              takes_signals: address !== undefined,
              accepted,
              current,
              // Without the senders' own ids: those of forged ones are a stranger's text.
              newest: entries.slice(0, MAX_ENTRIES).map(({ receivedAt, outcome, target, reason }) => ({
                received: receivedAt.toISOString(),
                outcome,
                target: target && targetName(target),
                reason,
              })),
            }
          }),
        ),
      }
    },
  }),
})

export type SignalTools = ReturnType<typeof signalTools>

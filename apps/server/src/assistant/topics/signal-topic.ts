import type { Topic } from '../area.ts'
import type { SignalTools } from '../tools/signal-tools.ts'
import { count, paragraphs, plain, table } from '../words.ts'

type Listed = Awaited<ReturnType<SignalTools['listSignals']['run']>>['strategies'][number]

const NONE =
  'You have no strategy of the type External signal. Choose that type in the [Backtest Studio](/backtest), list the allocations that another program may name, and save it: it then gets an address for signals.'

export const signalTopic = ({ listSignals }: SignalTools): Topic => ({
  example: 'Which external signals arrived?',
  matches: (words) =>
    /\b(external|received|arrived?|accepted|refused|forged)\b/.test(words) &&
    /\b(signals?|tradingview)\b/.test(words) &&
    /\b(my|which|what|did|show|list|last|newest)\b/.test(words) &&
    !/\bhow\b/.test(words),
  answer: async (caller) => {
    const { strategies } = await listSignals.run(caller, {})
    return strategies.length === 0 ? NONE : paragraphs(...strategies.map(wordsOf))
  },
})

const WORDS: Record<Listed['newest'][number]['outcome'], string> = {
  accepted: 'Accepted',
  doubled: 'Duplicate',
  late: 'Late',
  forged: 'Forged',
  unknown_target: 'Unknown target',
  unreadable: 'Refused',
}

function wordsOf({ name, takes_signals, accepted, current, newest }: Listed): string {
  const state = takes_signals ? '' : ' It has no address, so no signals are accepted.'
  const now = current === null ? 'none was accepted so far' : `the current one is **${plain(current)}**`
  return paragraphs(
    `**${plain(name)}**: ${count(accepted)} accepted, ${now}.${state}`,
    newest.length > 0 &&
      table(
        ['Received (UTC)', 'Outcome', 'Signal', 'Reason'],
        newest.map(({ received, outcome, target, reason }) => [
          received.slice(0, 16).replace('T', ' '),
          WORDS[outcome],
          plain(target ?? ''),
          plain(reason ?? ''),
        ]),
      ),
  )
}

import { controlDeployment, listDeployments } from '@tradewright/contract/live-trading'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import type { Command, Invocation } from '../command.ts'
import { EXIT, type ExitCode, usage } from '../failure.ts'
import { dollars } from '../figures.ts'
import { plain, table } from '../output.ts'

const TRADE_SCOPE = 'The key needs the scope trade-paper, or trade-live where real money is traded.'

export const deployments: Command = {
  name: 'deployments',
  summary: 'Deployments, newest first.',
  args: [],
  options: {},
  examples: ['tradewright deployments', 'tradewright deployments --json | jq ".deployments[].status"'],
  async run({ out, client, interrupted }) {
    const answer = await client().call(listDeployments, { signal: interrupted })
    out.result(answer, () =>
      answer.deployments.length === 0
        ? ['No deployments yet.']
        : [
            ...table(
              [
                { title: 'ID', align: 'right' },
                { title: 'Name' },
                { title: 'Status' },
                { title: 'Account' },
                { title: 'Capital', align: 'right' },
                { title: 'P&L', align: 'right' },
                { title: 'Next check' },
              ],
              answer.deployments.map(rowOf),
            ),
            ...answer.deployments.flatMap(problemOf).map((problem) => out.paint('yellow', problem)),
          ],
    )
    return EXIT.ok
  },
}

export const deploymentsStart: Command = {
  name: 'deployments start',
  summary: 'Start a deployment.',
  args: [{ name: 'ID' }],
  options: { confirm: { value: 'NAME', help: 'name of the deployment; required for trading with real money' } },
  details: [TRADE_SCOPE],
  examples: ['tradewright deployments start 3', 'tradewright deployments start 4 --confirm "Sixty forty"'],
  run: (invocation) => control(invocation, { action: 'start', confirmation: invocation.text('confirm') }),
}

export const deploymentsStop: Command = {
  name: 'deployments stop',
  summary: 'Stop a deployment. Open orders are cancelled; positions are kept.',
  args: [{ name: 'ID' }],
  options: { sell: { help: 'sell all of its positions' } },
  details: [TRADE_SCOPE],
  examples: ['tradewright deployments stop 3'],
  run: (invocation) => control(invocation, { action: 'stop', positions: invocation.flag('sell') ? 'sell' : 'keep' }),
}

interface Control {
  action: 'start' | 'stop'
  positions?: 'keep' | 'sell'
  confirmation?: string | undefined
}

/** Ctrl-C does not take back what the server was told, so the call is not interrupted. */
async function control({ args, out, client }: Invocation, body: Control): Promise<ExitCode> {
  if (!/^\d{1,15}$/.test(args[0]!)) throw usage(`“${args[0]}” is not the id of a deployment.`)
  const answer = await client().call(controlDeployment, { params: { id: args[0]! }, body })
  const { deployment } = answer
  out.result(answer, () => [`${plain(deployment.deployment_name)} is ${deployment.status}.`, ...problemOf(deployment)])
  return EXIT.ok
}

const rowOf = (one: Deployment): string[] => [
  String(one.id),
  one.deployment_name,
  one.liquidating ? 'stopped, selling' : one.status,
  `${one.account_name}${one.paper_trading ? ' (paper)' : ' (real money)'}${one.dry_run ? ', dry run' : ''}`,
  dollars(one.committed_capital),
  dollars(one.total_pnl),
  one.next_run_at ?? '',
]

function problemOf(one: Deployment): string[] {
  const synthetic = `decided on synthetic prices of ${one.synthetic_tickers.join(', ') || 'the sample market'}.`
  return [one.health_problem ?? '', one.synthetic ? synthetic : '']
    .filter((sentence) => sentence !== '')
    .map((sentence) => `! ${plain(`${one.deployment_name}: ${sentence}`)}`)
}

import type { Topic } from '../area.ts'
import type { DeploymentTools } from '../tools/deployment-tools.ts'
import { money, paragraphs, plain, signedMoney, table } from '../words.ts'

const NO_DEPLOYMENTS =
  'Nothing is deployed yet. Deploy a strategy in [Live Trading](/live-trading), to a paper account first.'

export const deploymentTopic = (tools: DeploymentTools): Topic => ({
  example: 'How are my deployments doing?',
  matches: (words) => /\bdeploy(ed|ment|ments)?\b|live trading/.test(words),
  async answer(caller) {
    const { deployments } = await tools.listDeployments.run(caller, {})
    if (deployments.length === 0) return NO_DEPLOYMENTS
    const troubled = deployments.filter(({ problem }) => problem !== null)
    return paragraphs(
      table(
        ['Deployment', 'Strategy', 'Money', 'Status', 'Value', 'P&L'],
        deployments.map((one) => [
          plain(one.name),
          plain(one.strategy),
          one.is_paper ? 'paper' : 'live',
          plain(one.status),
          money(one.value),
          signedMoney(one.profit_or_loss),
        ]),
      ),
      troubled.map(({ name, problem }) => `- **${plain(name)}** does not trade: ${plain(problem ?? '')}`).join('\n'),
      '[Live Trading](/live-trading)',
    )
  },
})

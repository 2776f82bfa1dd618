// `npm run docs:cli`: writes the settings of a backtest and the help of every command into docs/cli.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BacktestSetting, settingEntries } from '@tradewright/core/backtest-settings'
import { fieldEntries, type StrategyField } from '@tradewright/core/strategy-fields'
import { strategyKinds, strategyTypeOf } from '@tradewright/core/strategy-kinds'
import { commands } from '../apps/cli/src/catalogue.ts'
import { helpOf } from '../apps/cli/src/command.ts'
import { EXIT_CODES } from '../apps/cli/src/failure.ts'

export const CLI_PAGE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/cli.md')
const HEADING = '## Settings of a backtest\n'

const settingLine = ([name, field]: readonly [string, BacktestSetting | StrategyField]): string => {
  const { label, note, kinds } = field
  const isOfSome = kinds && kinds.length < strategyKinds.length
  const only = isOfSome ? ` (${kinds.map(strategyTypeOf).join(', ')})` : ''
  const flag = field.type === 'flag' && (field.default === true ? 'true (default) or false' : 'true or false (default)')
  const says = [note, flag].filter(Boolean).join('; ')
  return `- \`${name}\`: ${label}${only}${says === '' ? '' : `. ${says}`}`
}

/** The page with its last two sections made anew. */
export function withReference(page: string): string {
  const codes = Object.entries(EXIT_CODES).map(([code, means]) => `- \`${code}\`: ${means}`)
  const helps = commands.map((command) => `### ${command.name}\n\n\`\`\`text\n${helpOf(command).join('\n')}\n\`\`\`\n`)
  const settings = [...settingEntries, ...fieldEntries].map(settingLine)
  const own = page.slice(0, page.indexOf(HEADING))
  return `${own}${HEADING}\n${settings.join('\n')}\n\n## Commands\n\nExit codes:\n\n${codes.join('\n')}\n\n${helps.join('\n')}`
}

if (import.meta.main) writeFileSync(CLI_PAGE, withReference(readFileSync(CLI_PAGE, 'utf8')))

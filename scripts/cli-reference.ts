// `npm run docs:cli`: writes the help of every command into docs/cli.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands } from '../apps/cli/src/catalogue.ts'
import { helpOf } from '../apps/cli/src/command.ts'
import { EXIT_CODES } from '../apps/cli/src/failure.ts'

export const CLI_PAGE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/cli.md')
const HEADING = '## Commands\n'

/** The page with its last section made anew. */
export function withReference(page: string): string {
  const codes = Object.entries(EXIT_CODES).map(([code, means]) => `- \`${code}\`: ${means}`)
  const helps = commands.map((command) => `### ${command.name}\n\n\`\`\`text\n${helpOf(command).join('\n')}\n\`\`\`\n`)
  const own = page.slice(0, page.indexOf(HEADING))
  return `${own}${HEADING}\nExit codes:\n\n${codes.join('\n')}\n\n${helps.join('\n')}`
}

if (import.meta.main) writeFileSync(CLI_PAGE, withReference(readFileSync(CLI_PAGE, 'utf8')))

import { parseArgs } from 'node:util'
import { OPERATOR_COMMANDS } from '../../../scripts/operator-commands.mjs'
import { commands } from './catalogue.ts'
import { Client } from './client.ts'
import { type Command, helpOf, type Invocation, optionsOf, usageLine } from './command.ts'
import { readCredentials } from './credentials.ts'
import { EXIT, EXIT_CODES, type ExitCode, Failure, usage } from './failure.ts'
import { Output, type Writable } from './output.ts'

interface Surroundings {
  env: Record<string, string | undefined>
  stdin: Invocation['stdin']
  stdout: Writable
  stderr: Writable
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal
}

/** Carries a command line out, and gives the exit code of the program. */
export async function runCli(words: readonly string[], around: Surroundings): Promise<ExitCode> {
  // Asked for before anything can fail, so that a refusal is JSON too.
  const out = new Output({ ...around, json: words.includes('--json') })
  try {
    const command = commandOf(words)
    if (!command) return overview(words, out)
    const invocation = invocationOf(command, words, around, out)
    if (invocation.flag('help')) {
      out.raw(
        helpOf(command)
          .map((line) => `${line}\n`)
          .join(''),
      )
      return EXIT.ok
    }
    checkArguments(command, invocation.args)
    return await command.run(invocation)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (out.json) out.result({ error: error.message, code: error.code, exit: error.exit }, () => [])
    else out.error(error.message)
    return error.exit
  }
}

/** By two words where there is such a command, else by one. */
function commandOf([first, second]: readonly string[]): Command | undefined {
  const named = (name: string) => commands.find((command) => command.name === name)
  return named(`${first} ${second}`) ?? named(`${first}`)
}

function invocationOf(command: Command, words: readonly string[], around: Surroundings, out: Output): Invocation {
  const { env, stdin, interrupted } = around
  const { values, positionals } = parsed(command, words.slice(command.name.split(' ').length))
  let client: Client | undefined
  return {
    args: positionals,
    text: (option) => textOf(values[option]),
    list: (option) => [values[option] ?? []].flat().map(String),
    flag: (option) => values[option] === true,
    out,
    env,
    stdin,
    client: () => (client ??= new Client(readCredentials(env), (sentence) => out.progress(null, sentence))),
    interrupted,
    commands,
  }
}

function parsed(command: Command, words: readonly string[]) {
  const options = optionsOf(command).map(([name, { value, repeated }]) => {
    const type: 'string' | 'boolean' = value === undefined ? 'boolean' : 'string'
    return [name, { type, multiple: repeated === true }] as const
  })
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(options), allowPositionals: true })
  } catch (error) {
    throw usage(`${(error as Error).message.split('. ')[0]!}. See “tradewright ${command.name} --help”.`)
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function checkArguments(command: Command, args: readonly string[]): void {
  const { args: declared } = command
  const missing = declared.find((_, at) => args[at] === undefined)
  if (missing) throw usage(`${missing.choices?.join('|') ?? missing.name} is missing. Usage: ${usageLine(command)}`)
  const takesAll = declared.some(({ repeated }) => repeated)
  if (!takesAll && args.length > declared.length) {
    throw usage(`“${args[declared.length]}” is one argument too many. Usage: ${usageLine(command)}`)
  }
  for (const [at, { choices }] of declared.entries()) {
    if (choices && !choices.includes(args[at]!)) throw usage(`“${args[at]}” must be one of ${choices.join(', ')}.`)
  }
}

function overview([first]: readonly string[], out: Output): ExitCode {
  const isKnown = commands.some(({ name }) => name.split(' ')[0] === first)
  const asksForHelp = first === undefined || first === '--help' || first === '-h' || first === 'help'
  if (!asksForHelp && !isKnown) {
    throw usage(`There is no command “${first}”. “tradewright --help” lists all commands.`)
  }
  const shown = commands.map(({ name, summary }) => [name, summary] as const)
  const lines = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, does]) => `  ${name.padEnd(18)} ${does}\n`).join('')
  const codes = Object.entries(EXIT_CODES).map(([code, means]) => [code, means] as const)
  out.raw(
    `Usage: tradewright <command> [options]\n\nWith a running server and an API key:\n${lines(shown)}\n` +
      `On the machine of the server:\n${lines(Object.entries(OPERATOR_COMMANDS))}\n` +
      `Exit codes:\n${lines(codes)}\n“tradewright <command> --help” has options and examples.\n`,
  )
  return asksForHelp ? EXIT.ok : EXIT.usage
}

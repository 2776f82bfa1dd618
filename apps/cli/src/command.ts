import type { Client } from './client.ts'
import type { ExitCode } from './failure.ts'
import type { Output } from './output.ts'

export interface Option {
  /** What stands for its value in the help; an option without one is a flag. */
  value?: string
  repeated?: true
  help: string
}

export interface Argument {
  /** As the help writes it: FILE. */
  name: string
  isFile?: true
  choices?: readonly string[]
  /** Takes the rest of the line. */
  repeated?: true
}

/** What standard input gives to `login`. */
interface Input {
  isTTY?: boolean
  setRawMode?(on: boolean): unknown
}

/** A command line that was read, and what a command needs to carry it out. */
export interface Invocation {
  args: readonly string[]
  text: (option: string) => string | undefined
  list: (option: string) => readonly string[]
  flag: (option: string) => boolean
  out: Output
  env: Record<string, string | undefined>
  stdin: Input & AsyncIterable<Buffer | string>
  /** Signed in by the environment or by `login`; throws a Failure where neither is there. */
  client: () => Client
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal
  commands: readonly Command[]
}

/** Help, completion of shells and the reference in docs/cli.md are made from it. */
export interface Command {
  /** One word, or two: `data import`. */
  name: string
  summary: string
  args: readonly Argument[]
  options: Readonly<Record<string, Option>>
  /** Paragraphs of the help. */
  details?: readonly string[]
  examples: readonly string[]
  run: (invocation: Invocation) => Promise<ExitCode>
}

const COMMON_OPTIONS = {
  json: { help: 'print one JSON document instead of text; for streams, one per line' },
  help: { help: 'this help' },
} satisfies Record<string, Option>

export const optionsOf = ({ options }: Command): [string, Option][] => Object.entries({ ...options, ...COMMON_OPTIONS })

/** `tradewright data import FILE [options]` */
export function usageLine({ name, args }: Command): string {
  const words = args.map((arg) => `${arg.choices?.join('|') ?? arg.name}${arg.repeated ? '…' : ''}`)
  return ['tradewright', name, ...words, '[options]'].join(' ')
}

const optionWords = (name: string, { value }: Option): string => `--${name}${value ? ` ${value}` : ''}`

export function helpOf(command: Command): string[] {
  const options = optionsOf(command)
  const width = Math.max(...options.map(([name, option]) => optionWords(name, option).length))
  return [
    `Usage: ${usageLine(command)}`,
    '',
    command.summary,
    ...(command.details ?? []).flatMap((paragraph) => ['', paragraph]),
    '',
    'Options:',
    ...options.map(([name, option]) => `  ${optionWords(name, option).padEnd(width)}  ${option.help}`),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ]
}

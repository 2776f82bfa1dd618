import { type Command, optionsOf } from '../command.ts'
import { EXIT } from '../failure.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export const completion: Command = {
  name: 'completion',
  summary: 'A script with which a shell completes commands, options and files.',
  args: [{ name: 'SHELL', choices: SHELLS }],
  options: {},
  examples: [
    'tradewright completion bash > ~/.local/share/bash-completion/completions/tradewright',
    'tradewright completion zsh > "${fpath[1]}/_tradewright"',
    'tradewright completion fish > ~/.config/fish/completions/tradewright.fish',
  ],
  async run({ args, out, commands }) {
    const script = SCRIPTS[args[0] as Shell](commands)
    if (out.json) out.result({ shell: args[0], script }, () => [])
    else out.raw(script)
    return EXIT.ok
  },
}

const SCRIPTS: Record<Shell, (commands: readonly Command[]) => string> = { bash, zsh, fish }

/** What may follow each command: its second words, its options, its choices, or files. */
function nextWords(commands: readonly Command[]): [typed: string, words: string[], takesFile: boolean][] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]
  const names = new Set([...firsts, ...commands.map(({ name }) => name)])
  return [...names].map((typed) => {
    const command = commands.find(({ name }) => name === typed)
    const seconds = commands.map(({ name }) => name.split(' ')).filter(([first, second]) => first === typed && second)
    const choices = command?.args.flatMap(({ choices: given = [] }) => given) ?? []
    const options = command ? optionsOf(command).map(([name]) => `--${name}`) : []
    const takesFile = command?.args.some(({ isFile }) => isFile) ?? false
    return [typed, [...seconds.map(([, second]) => second!), ...choices, ...options], takesFile]
  })
}

const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set([...commands.map(({ name }) => name.split(' ')[0]!), '--help', '--version']),
]

function bash(commands: readonly Command[]): string {
  const cases = nextWords(commands).map(
    ([typed, words, takesFile]) => `    '${typed}') words='${words.join(' ')}'; files=${takesFile ? 1 : 0} ;;`,
  )
  return `# bash completion of tradewright
_tradewright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words='' files=0 typed
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${firstWords(commands).join(' ')}' -- "$current"))
    return
  fi
  typed="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && case "$typed \${COMP_WORDS[2]}" in
${twoWords(commands)
  .map((name) => `    '${name}') typed='${name}' ;;`)
  .join('\n')}
  esac
  case "$typed" in
${cases.join('\n')}
  esac
  case "$previous" in --out) files=1; words='' ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "$files" -eq 1 ] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _tradewright tradewright
`
}

const twoWords = (commands: readonly Command[]): string[] =>
  commands.map(({ name }) => name).filter((name) => name.includes(' '))

function zsh(commands: readonly Command[]): string {
  const cases = nextWords(commands).map(
    ([typed, words, takesFile]) => `    '${typed}') compadd -- ${words.join(' ')}${takesFile ? '; _files' : ''} ;;`,
  )
  return `#compdef tradewright
_tradewright() {
  if (( CURRENT == 2 )); then
    compadd -- ${firstWords(commands).join(' ')}
    return
  fi
  local typed="$words[2]"
  if (( CURRENT > 3 )); then
    case "$typed $words[3]" in
${twoWords(commands)
  .map((name) => `      '${name}') typed='${name}' ;;`)
  .join('\n')}
    esac
  fi
  if [[ "$words[CURRENT-1]" == --out ]]; then
    _files
    return
  fi
  case "$typed" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _tradewright ]; then _tradewright "$@"; else compdef _tradewright tradewright; fi
`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const [first = '', second] = command.name.split(' ')
    const seen = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`
    const word = second
      ? `-n '__fish_seen_subcommand_from ${first}' -a ${second}`
      : `-n __fish_use_subcommand -a ${first}`
    return [
      `complete -c tradewright -f ${word} -d ${quoted(command.summary)}`,
      ...(command.args.some(({ isFile }) => isFile) ? [`complete -c tradewright -F -n '${seen}'`] : []),
      ...command.args.flatMap(({ choices = [] }) =>
        choices.map((choice) => `complete -c tradewright -f -n '${seen}' -a ${choice}`),
      ),
      ...optionsOf(command).map(
        ([name, { value, help }]) =>
          `complete -c tradewright -n '${seen}' -l ${name}${value ? ' -r' : ''} -d ${quoted(help)}`,
      ),
    ]
  })
  const groups = firstWords(commands).filter((word) => !word.startsWith('-'))
  const first = `complete -c tradewright -f -n __fish_use_subcommand -a '${groups.join(' ')}'`
  return `# fish completion of tradewright\ncomplete -c tradewright -f\n${first}\n${lines.join('\n')}\n`
}

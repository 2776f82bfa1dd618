interface BenchArguments {
  names: string[]
  json: boolean
  /** How long a benchmark that goes on for a given time does so; undefined where nothing is said. */
  minutes: number | undefined
}

const USAGE = 'Usage: npm run bench [name…] [--json] [--minutes=2]'

/** `npm run bench --json` without a second `--` gives the flag to npm, which passes it on as a setting. */
export function readArguments(args: readonly string[], environment: NodeJS.ProcessEnv): BenchArguments {
  const options = args.filter((arg) => arg.startsWith('-'))
  const unknown = options.find((option) => option !== '--json' && !option.startsWith('--minutes='))
  if (unknown) throw new Error(`Unknown option ${unknown}. ${USAGE}`)
  const minutes = options.findLast((option) => option.startsWith('--minutes='))?.slice('--minutes='.length)
  return {
    names: args.filter((arg) => !arg.startsWith('-')),
    json: args.includes('--json') || environment['npm_config_json'] === 'true',
    minutes: checkedMinutes(minutes ?? environment['npm_config_minutes']),
  }
}

function checkedMinutes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const minutes = Number(text)
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error(`--minutes must be a number of minutes. ${USAGE}`)
  return minutes
}

/** The benches whose name begins with one of `names`; all, when none is given. */
export function chosen<Named extends { name: string }>(benches: readonly Named[], names: readonly string[]): Named[] {
  if (names.length === 0) return [...benches]
  const lost = names.find((name) => !benches.some((bench) => bench.name.startsWith(name)))
  if (lost) {
    throw new Error(`There is no benchmark "${lost}". There are: ${benches.map(({ name }) => name).join(', ')}.`)
  }
  return benches.filter((bench) => names.some((name) => bench.name.startsWith(name)))
}

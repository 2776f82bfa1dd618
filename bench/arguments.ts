export interface BenchArguments {
  names: string[]
  json: boolean
}

/** `npm run bench --json` without a second `--` gives the flag to npm, which passes it on as a setting. */
export function readArguments(args: readonly string[], environment: NodeJS.ProcessEnv): BenchArguments {
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--json')
  if (unknown) throw new Error(`Unknown option ${unknown}. Usage: npm run bench [name…] [--json]`)
  return {
    names: args.filter((arg) => !arg.startsWith('-')),
    json: args.includes('--json') || environment['npm_config_json'] === 'true',
  }
}

/** Those whose name begins with one of `names`; all, when none is given. */
export function chosen<Named extends { name: string }>(benches: readonly Named[], names: readonly string[]): Named[] {
  if (names.length === 0) return [...benches]
  const lost = names.find((name) => !benches.some((bench) => bench.name.startsWith(name)))
  if (lost) {
    throw new Error(`There is no benchmark "${lost}". There are: ${benches.map(({ name }) => name).join(', ')}.`)
  }
  return benches.filter((bench) => names.some((name) => bench.name.startsWith(name)))
}

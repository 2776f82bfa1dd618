/** The server's word for a run whose form had no name. */
export const UNNAMED = 'Unnamed strategy'

const PERIOD = / \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/

/** The name of a run without its period, where that stands elsewhere. */
export const withoutPeriod = (runName: string): string => runName.replace(PERIOD, '')

/** What a result may be called when it is saved: its strategy's name, else what it holds. */
export const suggestedName = (strategyName: string, runName: string): string =>
  strategyName && strategyName !== UNNAMED ? strategyName : withoutPeriod(runName)

const COPY = / copy(?: (\d+))?$/

/** `Core` gives `Core copy`, and that `Core copy 2`. */
export function copyName(name: string): string {
  if (!name || name === UNNAMED) return ''
  const [found, number] = COPY.exec(name) ?? []
  return found === undefined ? `${name} copy` : `${name.slice(0, -found.length)} copy ${Number(number ?? 1) + 1}`
}

/** As Alpaca sends them: executions and everything else in one list. */
export interface StandInActivity {
  readonly id: string
  readonly activity_type: string
  readonly [field: string]: unknown
}

/** The same on every machine: what a test compares should not be chance. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** `yyyymmddHHMMSSmmm::uuid`, so that the text sorts by time. */
export const activityId = (at: string, n: number): string =>
  `${new Date(at).toISOString().replaceAll(/[^0-9]/g, '')}::${uuid(n)}`

const list = (text: string | null): string[] => (text === null || text === '' ? [] : text.split(','))

interface ActivityQuirks {
  /** Pages hold fewer than asked for, although there is more. */
  readonly partialPages: boolean
  /** The first activity of a page was the last one of the page before. */
  readonly duplicates: boolean
  /** Every execution is told so many times. */
  readonly fillTimes: number
  /** Executions are not listed yet. */
  readonly hidesFills: boolean
}

/** A page, by Alpaca's own parameters. `all` is ascending by id. */
export function activityPage(
  all: readonly StandInActivity[],
  query: URLSearchParams,
  { partialPages, duplicates, fillTimes, hidesFills }: ActivityQuirks,
): StandInActivity[] {
  const types = new Set(
    list(query.get('activity_types')).flatMap((type) => (type === 'TRANS' ? ['CSD', 'CSW'] : [type])),
  )
  const category = query.get('category')
  const after = query.get('after')
  const afterId = after === null ? '' : new Date(after).toISOString().replaceAll(/[^0-9]/g, '')
  const isWanted = ({ id, activity_type }: StandInActivity) =>
    (types.size === 0 || types.has(activity_type)) &&
    (category === null || (category === 'trade_activity') === (activity_type === 'FILL')) &&
    id.slice(0, 17) > afterId &&
    !(hidesFills && activity_type === 'FILL')
  const ascending = query.get('direction') === 'asc'
  const size = Number(query.get('page_size') ?? 100)
  const token = query.get('page_token')
  const page: StandInActivity[] = []
  const inOrder = ascending ? all : all.toReversed()
  const start = token === null ? 0 : inOrder.findIndex(({ id }) => id === token) + (duplicates ? 0 : 1)
  for (let i = start; i < inOrder.length && page.length < (partialPages ? Math.ceil(size / 3) : size); i++) {
    if (isWanted(inOrder[i]!)) page.push(inOrder[i]!)
  }
  if (page.length === 1 && page[0]!.id === token) return []
  return page.flatMap((one) => Array.from({ length: one.activity_type === 'FILL' ? fillTimes : 1 }, () => one))
}

export type ListType = 'target' | 'feature'

export interface TickerListContent {
  readonly name: string
  readonly type: ListType
  readonly tickers: readonly string[]
}

export interface TickerList extends TickerListContent {
  readonly id: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

import type { TickerList, TickerListContent } from './ticker-list.ts'

/** The ticker lists of one user at a time: another's do not exist. */
export interface TickerListStore {
  /** By name. */
  list(userId: number): Promise<TickerList[]>
  find(userId: number, id: number): Promise<TickerList | undefined>
  /** `taken`: a list of that kind has the name. */
  add(userId: number, list: TickerListContent, at: Date): Promise<TickerList | 'taken'>
  replace(userId: number, id: number, list: TickerListContent, at: Date): Promise<TickerList | 'missing' | 'taken'>
  /** Answers whether it was there. */
  remove(userId: number, id: number): Promise<boolean>
}

import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { localFolder } from './parquet/local-folder.ts'
import { ParquetSeriesStore, type ParquetStoreParts } from './parquet/parquet-series-store.ts'

export type LocalStoreParts = Omit<ParquetStoreParts, 'folder'>

/** The store in a folder of this machine: the default. */
export const localSeriesStore = (folder: string, parts: LocalStoreParts): SeriesStore =>
  new ParquetSeriesStore({ ...parts, folder: localFolder(folder) })

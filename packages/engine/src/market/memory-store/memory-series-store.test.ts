import { seriesStoreSuite } from '../test-support/series-store-suite.ts'
import { memorySeriesStore } from './memory-series-store.ts'

seriesStoreSuite('memory', async () => memorySeriesStore())

import { type FactorTable, readFactorFile } from '@tradewright/engine/backtest/factor-file'
import { readFileSync } from 'node:fs'

/** A compute task: reads an uploaded file of factor returns. */
export const run = ({ path }: { readonly path: string }): FactorTable => readFactorFile(readFileSync(path, 'utf8'))

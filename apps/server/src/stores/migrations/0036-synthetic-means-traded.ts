import { sql, type Kysely } from 'kysely'

/**
 * Saved backtests called themselves synthetic for any synthetic series, also for a helper such as the T-bill rate. The
 * word is about traded prices: what earlier results list as their sources tells which it was. TBILLX is made of a rate.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE backtests SET synthetic = EXISTS (
      SELECT FROM jsonb_array_elements(report #> '{result,sources,simulation,providers}') AS source,
                  jsonb_array_elements_text(source -> 'tickers') AS series,
                  jsonb_array_elements(coalesce(
                    report #> '{order,request,strategy,allocation}',
                    (report #> '{order,request,strategy,buy}') || (report #> '{order,request,strategy,sell}')
                  )) AS row_of,
                  split_part(upper(row_of ->> 'ticker'), '?', 1) AS traded
      WHERE source ->> 'provider' = 'sample'
        AND (traded = series OR (traded = 'TBILLX' AND series IN ('TB3MS', 'DTB3')))
    )
    WHERE synthetic AND NOT (report -> 'result' ? 'series')`.execute(database)
}

import { sql, type Kysely } from 'kysely'

/** Lists of results mark those in which prices of others stand in for a ticker; null where none do. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE backtests ADD COLUMN spliced jsonb`.execute(database)
  // The days of a long curve are packed: a model's begin with its test, others with the first common session.
  await sql`
    UPDATE backtests SET spliced = found.tickers
    FROM (
      SELECT id, (
        SELECT jsonb_agg(jsonb_build_object('ticker', spliced -> 'ticker', 'standIns', seen.parts) ORDER BY place)
        FROM jsonb_array_elements(result -> 'spliced') WITH ORDINALITY AS list (spliced, place)
        CROSS JOIN LATERAL (
          SELECT jsonb_agg(part ORDER BY part_place) AS parts
          FROM jsonb_array_elements(spliced -> 'standIns') WITH ORDINALITY AS parts (part, part_place)
          WHERE (part ->> 'to')::integer >= coalesce(
            result #>> '{curve,days,0}', result #>> '{ml,test,from}', result ->> 'actualStart')::integer
        ) AS seen
        WHERE seen.parts IS NOT NULL
      ) AS tickers
      FROM (SELECT id, report -> 'result' AS result FROM backtests) AS stored
      WHERE result ? 'spliced'
    ) AS found
    WHERE backtests.id = found.id`.execute(database)
}

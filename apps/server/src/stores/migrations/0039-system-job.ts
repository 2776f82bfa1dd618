import { sql, type Kysely } from 'kysely'

/** Every user who has a system store gets the job that refreshes what is stored; the program adds it for new users. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE UNIQUE INDEX one_system_job ON collection_jobs (user_id) WHERE is_system`.execute(database)
  await sql`
    INSERT INTO collection_jobs (user_id, name, is_system, job_kind, provider_id, data_store_id, tickers, data_granularity,
      categories, dates, schedule, additional_params, transform_config, depends_on_job_ids, next_run_at, created_at)
    SELECT user_id, 'Nightly refresh', true, 'fetch', 'auto', id, '{}', '1d', '{}',
      '{"startDate": null, "endDate": null, "isDynamic": true, "startOffsetDays": null, "endOffsetDays": null}',
      jsonb_build_object('cron', null, 'startTime', '02:' || lpad((user_id % 60)::text, 2, '0') || ':00', 'endTime', null,
        'timezone', 'America/New_York', 'startDate', null, 'endDate', null,
        'days', jsonb_build_array('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'),
        'marketHoursOnly', false, 'isActive', true),
      '{}', null, '{}',
      ((now() AT TIME ZONE 'America/New_York')::date + 1 + make_time(2, user_id % 60, 0)) AT TIME ZONE 'America/New_York',
      now()
    FROM data_stores WHERE is_system`.execute(database)
}

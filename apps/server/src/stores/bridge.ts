import { accounts } from './schema/accounts.ts'

/**
 * What the last programs before the baseline had migrated to: some had made a few more of the changes below. No program was
 * released then, so this file goes with the first release.
 */
const LAST_BEFORE = '0250-links-with-passports'

/** Runs statements within a transaction. */
type RunSql = (statements: string) => Promise<{ rows: Record<string, unknown>[] }>

/** Whether a database or an archive with these migrations can be brought to the baseline. */
export const isBeforeBaseline = (applied: readonly string[]): boolean => applied.includes(LAST_BEFORE)

/** Brings tables of before the baseline to it. What is done already stays. */
export async function bringToBaseline(run: RunSql): Promise<void> {
  for (const block of accounts.trim().split('\n\n')) {
    const table = /^CREATE TABLE (\w+)/m.exec(block)?.[1]
    if (table === undefined) continue
    const { rows } = await run(`SELECT to_regclass('${table}') IS NOT NULL AS found`)
    if (rows[0]?.['found'] !== true) await run(block)
  }
  await run(`
    ALTER TABLE users ADD COLUMN IF NOT EXISTS suspended_at timestamptz;
    ALTER TABLE sessions ADD COLUMN IF NOT EXISTS factor_at timestamptz;
    ALTER TABLE alert_channels ADD COLUMN IF NOT EXISTS escalation_minutes integer NOT NULL DEFAULT 0;
    ALTER TABLE deployments ADD COLUMN IF NOT EXISTS held_orders jsonb;
    ALTER TABLE deployment_decisions ADD COLUMN IF NOT EXISTS waits_for jsonb;
    ALTER TABLE order_intents ADD COLUMN IF NOT EXISTS cancel_asked_at timestamptz;
    ALTER TABLE data_stores DROP COLUMN IF EXISTS may_have_log;
    ALTER SEQUENCE IF EXISTS deployment_mails_id_seq RENAME TO deployment_messages_id_seq;
    ALTER INDEX IF EXISTS deployment_mails_pkey RENAME TO deployment_messages_pkey;
    ALTER TABLE deployment_messages DROP CONSTRAINT IF EXISTS deployment_mails_state_check,
      DROP CONSTRAINT IF EXISTS deployment_messages_state_check, DROP CONSTRAINT IF EXISTS deployment_mails_deployment_id_fkey,
      DROP CONSTRAINT IF EXISTS deployment_messages_deployment_id_fkey,
      ADD FOREIGN KEY (deployment_id) REFERENCES deployments ON DELETE CASCADE,
      ADD CHECK (state IN ('waiting', 'sent', 'given_up'));
    -- Records packed before their number was kept are in a form that is not read any more: their history ends.
    WITH unread AS (DELETE FROM store_removed_rows WHERE records = 0 RETURNING catalogue_id, version)
    UPDATE store_catalogues SET history_from_version = greatest(history_from_version, newest)
    FROM (SELECT catalogue_id, max(version) AS newest FROM unread GROUP BY catalogue_id) AS ended
    WHERE id = ended.catalogue_id;`)
}

/** Gives tables of the baseline what an archive of before has: `bringToBaseline` takes it away again. */
export async function openToArchives(run: RunSql): Promise<void> {
  await run(`
    ALTER TABLE data_stores ADD COLUMN may_have_log boolean;
    ALTER SEQUENCE deployment_messages_id_seq RENAME TO deployment_mails_id_seq`)
}

import { sql, type Kysely } from 'kysely'

/** Entries are numbered within their type, too: how many of a type lie before any entry is known without counting. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE ledger_entries ADD COLUMN type_number bigint`.execute(database)
  // Booked entries stay as they are; only their place is written beside them. No other session gets past the guard
  // meanwhile.
  await sql`ALTER TABLE ledger_entries DISABLE TRIGGER ledger_is_append_only`.execute(database)
  await sql`
    UPDATE ledger_entries SET type_number = numbered.place
    FROM (
      SELECT id, row_number() OVER (PARTITION BY deployment_id, entry_type ORDER BY number) AS place
      FROM ledger_entries WHERE deployment_id IS NOT NULL
    ) AS numbered
    WHERE ledger_entries.id = numbered.id`.execute(database)
  await sql`ALTER TABLE ledger_entries ENABLE TRIGGER ledger_is_append_only`.execute(database)
  await sql`
    CREATE UNIQUE INDEX ledger_by_type ON ledger_entries (deployment_id, entry_type, number) INCLUDE (type_number)
  `.execute(database)
  await sql`DROP INDEX ledger_by_deployment`.execute(database)
  await sql`CREATE INDEX ledger_by_deployment ON ledger_entries (deployment_id, id DESC)`.execute(database)
  await sql`
    CREATE OR REPLACE FUNCTION check_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM jsonb_to_recordset(NEW.legs) AS leg(asset text, amount numeric)
        GROUP BY asset HAVING sum(amount) <> 0
      ) THEN
        RAISE EXCEPTION 'ledger entry % does not balance', NEW.key USING ERRCODE = 'check_violation';
      END IF;
      IF NEW.deployment_id IS NOT NULL THEN
        SELECT 1 + coalesce(sum(entries), 0), 1 + coalesce(sum(entries) FILTER (WHERE entry_type = NEW.entry_type), 0)
        INTO NEW.number, NEW.type_number
        FROM ledger_counts WHERE deployment_id = NEW.deployment_id;
      END IF;
      RETURN NEW;
    END $$`.execute(database)
}

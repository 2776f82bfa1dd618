import type pg from 'pg'

/** Whether the database answers, asked at most once a second however many ask. */
export function databaseReadiness(pool: pg.Pool): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => {
    answer ??= ask(pool).finally(() => setTimeout(() => (answer = undefined), 1000).unref())
    return answer
  }
}

async function ask(pool: pg.Pool): Promise<boolean> {
  try {
    await pool.query('SELECT 1')
    return true
  } catch {
    return false
  }
}

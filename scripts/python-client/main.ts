// `npm run client:python`: writes clients/python/tradewright.py.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PYTHON_CLIENT, pythonClient } from './python-client.ts'

mkdirSync(dirname(PYTHON_CLIENT), { recursive: true })
writeFileSync(PYTHON_CLIENT, await pythonClient())

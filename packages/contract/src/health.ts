import { z } from 'zod'
import { route } from './route.ts'

export const getHealth = route({
  method: 'GET',
  path: '/health',
  access: 'anyone',
  tag: 'Service',
  summary: 'Whether the service is up. Public, without details.',
  answer: z.object({ status: z.literal('ok') }),
})

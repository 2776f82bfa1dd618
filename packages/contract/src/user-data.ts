import { z } from 'zod'
import { Success } from './answers.ts'
import { PASSWORD_MAX_LENGTH, USERNAME_MAX_LENGTH } from './auth.ts'
import { route } from './route.ts'

/** A browser link, not a call: it answers with a JSON file of every row that belongs to the user, without secrets. */
export const USER_DATA_PATH = '/api/user/export'

export const deleteUser = route({
  method: 'POST',
  path: '/api/user/delete',
  access: 'signed in',
  asksFactor: 'always',
  tag: 'User data',
  summary:
    'Delete the user with all of their data. `username` repeats their name; `password` is asked of a user ' +
    'who signs in with one. Refused with 409 while deployments are not stopped.',
  body: z.object({
    username: z.string().trim().max(USERNAME_MAX_LENGTH).nullish(),
    password: z.string().max(PASSWORD_MAX_LENGTH).nullish(),
  }),
  answer: Success,
})

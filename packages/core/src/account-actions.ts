/** What the operator may do to an account. The page and the command say the same beforehand, and do the same. */
export const ACCOUNT_ACTIONS = [
  {
    id: 'sign-out',
    label: 'Sign out',
    done: 'was signed out everywhere',
    effect: 'Every session and its live updates end at once. API keys, jobs and deployments go on.',
  },
  {
    id: 'suspend',
    label: 'Suspend',
    done: 'is suspended',
    effect:
      'Nobody signs in. Sessions, API keys, live updates and calls under way end at once, and jobs are cancelled. Running ' +
      'deployments are paused: no new decisions; open orders and positions stay at the broker. Shared results stay visible.',
  },
  {
    id: 'resume',
    label: 'Lift the suspension',
    done: 'may sign in again',
    effect: 'The owner signs in and API keys work again. Deployments stay paused until the owner resumes them.',
  },
  {
    id: 'stop',
    label: 'Stop deployments',
    done: 'has no running deployment any more',
    effect:
      'Every deployment stops and its open orders are cancelled. Positions stay at the broker, real ones too, with nobody ' +
      'watching them.',
  },
  {
    id: 'reset-password',
    label: 'Reset the password',
    done: 'has a new password',
    effect:
      'A new password is shown to you once, for the owner to change in Settings. Sessions end, and API keys are revoked. ' +
      'Second factors stay; deployments go on.',
  },
  {
    id: 'reset-factors',
    label: 'Remove the second factors',
    done: 'has no second factor any more',
    effect:
      'Authenticator apps, passkeys and recovery codes are removed and sessions end. The password alone signs in then.',
  },
  {
    id: 'remove',
    label: 'Remove',
    done: 'was removed',
    effect:
      'Everything of the account is deleted for good: strategies, results, data, the books of its deployments. Refused while ' +
      'a deployment is not stopped. Positions stay at the broker.',
  },
] as const

export type AccountAction = (typeof ACCOUNT_ACTIONS)[number]['id']

export const ACCOUNT_ACTION_IDS = ACCOUNT_ACTIONS.map(({ id }) => id)

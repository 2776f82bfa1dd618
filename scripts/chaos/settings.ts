import { parseArgs } from 'node:util'

export interface ChaosSettings {
  minutes: number
  kills: number
  users: number
  seed: number
}

/** `npm run chaos -- --minutes 10 --kills 200 --users 50 --seed 1` */
export function readSettings(args: string[]): ChaosSettings {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      kills: { type: 'string', default: '200' },
      users: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
    },
  })
  const number = (name: keyof typeof values) => {
    const value = Number(values[name])
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0.`)
    return value
  }
  return { minutes: number('minutes'), kills: number('kills'), users: number('users'), seed: number('seed') }
}

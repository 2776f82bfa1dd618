/** How each figure is computed, in words for the reader who acts on it. */
export const HOW = {
  overallReturn:
    'Equity less net contributions, divided by net contributions, since the account was opened. Deposits, withdrawals ' +
    'and transfers are contributions; dividends, interest and fees are part of the gain.',
  dailyPnl:
    'Equity now, less equity at the previous close, less today’s net contributions. The percentage is ' +
    'relative to equity at the previous close plus what has been paid in since.',
  buyingPower: 'As reported by the broker. With margin it exceeds the cash in the account.',
  cash: 'Money that is not invested, as reported by the broker.',
  benchmark:
    'The growth of one dollar invested in it, with dividends reinvested, between the first and the last day on ' +
    'which the account has a value. It is shown as a yearly rate whenever the account’s return is.',
  moneyWeighted:
    'The single rate at which all contributions, withdrawals and the final value balance (XIRR). Unlike the return ' +
    'beside it, it depends on when and how much you contributed. For less than a year, it is the rate for the ' +
    'period.',
  totalReturn:
    'The compounded return from the first to the last day of the period, excluding contributions. Never a yearly rate.',
  netContributions:
    'What was paid in less what was paid out in the period. Cash flows are the deposits, withdrawals and transfers ' +
    'after its first day, on which the account starts with what it holds; they divide the period into sub-periods.',
} as const

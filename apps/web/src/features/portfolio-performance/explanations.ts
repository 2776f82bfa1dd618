/** How each figure is computed, in words for the reader who acts on it. */
export const HOW = {
  overallReturn:
    'Equity less net contributions, divided by net contributions, since the account was opened. Deposits, withdrawals ' +
    'and transfers are contributions; dividends, interest and fees are part of the gain.',
  dailyPnl:
    'Equity now, less the equity at the previous close, less what was paid in or out today. The percentage is of the ' +
    'equity at the previous close and what was paid in since.',
  buyingPower: 'As the broker reports it. With margin it is more than the cash in the account.',
  cash: 'What is not invested, as the broker reports it.',
  benchmark:
    'The growth of one dollar in it, dividends reinvested, between the first and the last day on which the account has ' +
    'a value. It is shown as a yearly rate whenever the return of the account is.',
  moneyWeighted:
    'The single rate at which all contributions, withdrawals and the final value balance (XIRR). Unlike the ' +
    'return beside it, it depends on when and how much you contributed. Under one year it is the rate of the period.',
  totalReturn:
    'The compounded return from the first to the last day of the period, contributions taken out. Never a yearly rate.',
  netContributions:
    'What was paid in less what was paid out in the period. Cash flows are the deposits, withdrawals and transfers after ' +
    'its first day, on which the account begins with what it holds; they cut it into sub-periods.',
} as const

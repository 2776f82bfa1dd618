/** How each figure of a run's head comes to be. docs/method.md has the same with sources. */
export const HOW = {
  bestFitness:
    'The evaluation metric of the winner on the test windows of the search, combined by the fitness mode. It is ' +
    'the best of many trials, so it is biased upwards.',
  holdOut:
    'The evaluation metric of the winner on the last part of the data. No generation saw it, and it was computed ' +
    'once, after the search.',
  accuracy: 'Percentage of test rows for which the prediction was right.',
  f1: 'Harmonic mean of precision and recall of the Buy predictions on the test rows.',
  sharpe:
    'Mean of the returns in excess of the risk-free return on the test rows, divided by their standard deviation, ' +
    'per year.',
  cagr:
    'Growth per year of an account that followed the signals over the test rows, including costs. Buy and hold: the ' +
    'same account, always holding the buy allocation.',
} as const

export const howSharpe = ({ risk_free }: { risk_free: string }): string => `${HOW.sharpe} Risk-free: ${risk_free}.`

/** The four checks of luck. */
export const HOW_LUCK = {
  holdOutScore:
    'Hold-out score: the last part of the data is withheld from every generation; the winner is trained once more ' +
    'and scored there once. It is good only if the winner also earned more than always holding the buy allocation.',
  deflatedSharpe:
    'Deflated Sharpe: how confident one can be that the winner beats always holding the buy allocation, by timing ' +
    'that is better than chance. The Sharpe ratio of its returns minus those of holding, and minus those of both ' +
    'allocations held all the time in the proportions in which it held them, is compared with what the best of as ' +
    'many worthless trials would show, allowing for skew and fat tails (Bailey and López de Prado, 2014); the lower ' +
    'result counts.',
  overfittingProbability:
    'Probability of overfitting: the test period is divided into parts; for every choice of half of them, the trial ' +
    'that is best there is checked in the other half. The figure is how often it ends up in the worse half of all ' +
    'trials (Bailey, Borwein, López de Prado and Zhu, 2015).',
  featureStability:
    'Feature stability: the percentage of generations in which the best individual had each chosen feature, and of ' +
    'windows in which the model relied on it; the figure is the mean of both.',
} as const

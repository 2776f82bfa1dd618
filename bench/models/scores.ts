/** Accuracy at 0.5, area under the ROC curve (ties share their rank), and mean logistic loss. */
export interface Scores {
  readonly accuracy: number
  readonly auc: number
  readonly loss: number
}

export function scoresOf(labels: ArrayLike<number>, probabilities: Float64Array): Scores {
  const order = [...probabilities.keys()].sort((a, b) => probabilities[a]! - probabilities[b]!)
  let right = 0
  let loss = 0
  let positives = 0
  let rankSum = 0
  for (let i = 0; i < order.length;) {
    let end = i
    while (end < order.length && probabilities[order[end]!] === probabilities[order[i]!]) end++
    for (let k = i; k < end; k++) {
      const label = labels[order[k]!]!
      const probability = Math.min(0.999, Math.max(0.001, probabilities[order[k]!]!))
      if (probability > 0.5 === (label === 1)) right += 1
      loss -= Math.log(label === 1 ? probability : 1 - probability)
      positives += label
      rankSum += label * ((i + end + 1) / 2)
    }
    i = end
  }
  const pairs = positives * (order.length - positives)
  return {
    accuracy: right / order.length,
    auc: (rankSum - (positives * (positives + 1)) / 2) / pairs,
    loss: loss / order.length,
  }
}

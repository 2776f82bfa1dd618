// The score of a split.

/**
 * How much purer two children are than their node, for four candidate splits: (l1 W - P l)^2 / (l r), which orders
 * splits as the decrease of Gini impurity does. l is the left weight, r = W - l, l1 the left weight of the class that
 * P counts. Every product but the square is exact up to BLOCK_WEIGHT. Where l or r is 0 the answer is NaN.
 */
export function purity(l: v128, l1TimesWeight: v128, weight: v128, positives: v128): v128 {
  return purityFrom(differenceOf(l, l1TimesWeight, positives), l, weight)
}

/** l1 W - P l. */
export function differenceOf(l: v128, l1TimesWeight: v128, positives: v128): v128 {
  return f32x4.sub(l1TimesWeight, f32x4.mul(l, positives))
}

export function purityFrom(difference: v128, l: v128, weight: v128): v128 {
  return f32x4.div(f32x4.mul(difference, difference), f32x4.mul(l, f32x4.sub(weight, l)))
}

/** Where `purity` may exceed the bar, which is a little less than the score to beat: found without a division. */
export function mayExceed(l: v128, difference: v128, weight: v128, bar: v128): v128 {
  return f32x4.gt(f32x4.mul(difference, difference), f32x4.mul(bar, f32x4.mul(l, f32x4.sub(weight, l))))
}

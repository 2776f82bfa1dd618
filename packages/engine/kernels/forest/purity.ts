// The score of a split.

/**
 * How much purer two children are than their node, for four candidate splits: (l1 W - P l)^2 / (l r), which orders
 * splits as the decrease of Gini impurity does. l is the left weight, r = W - l, l1 the left weight of the class that
 * P counts. Every product but the square is exact up to BLOCK_WEIGHT. Where l is 0 the answer is NaN, which never wins.
 */
// @ts-ignore: decorator
@inline
export function purity(left: v128, leftPositives: v128, weight: v128, positives: v128): v128 {
  const l = f32x4.convert_i32x4_s(left)
  const difference = f32x4.sub(
    f32x4.mul(f32x4.convert_i32x4_s(leftPositives), weight),
    f32x4.mul(l, positives),
  )
  return f32x4.div(f32x4.mul(difference, difference), f32x4.mul(l, f32x4.sub(weight, l)))
}

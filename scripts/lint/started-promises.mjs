/**
 * A promise that is started before an `await` and awaited after it: when that `await` throws, or the promise fails
 * first, its rejection has no handler, and Node.js counts it as unhandled. Start them together
 * (`await Promise.all([first(), second()])`), or mark the promise with `started(promise)`.
 *
 * The rule works on the syntax tree of one function, without types: a value counts as a promise when the function
 * awaits it or hands it to `Promise.all` and its relatives.
 */
const message =
  'This promise is awaited only after another await. If that one throws, its rejection is unhandled: start them together with Promise.all, or wrap it in started().'

const COMBINATORS = new Set(['all', 'allSettled', 'race', 'any'])
const LOOPS = new Set(['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement'])

const startedPromises = {
  meta: { type: 'problem', docs: { description: 'a promise is awaited before anything else can throw' } },
  createOnce: (context) => ({
    // Most files await nothing. Handing a syntax tree to JavaScript takes most of the time of the whole lint.
    before: () => context.sourceCode.text.includes('await'),
    'Program:exit': (program) => {
      for (const body of functionsIn(program)) for (const node of lateAwaits(body)) context.report({ node, message })
    },
  }),
}

export default { meta: { name: 'tradewright' }, rules: { 'started-promises': startedPromises } }

/** Every function, and the module itself. */
function functionsIn(program) {
  const found = [program]
  visit(program, (node) => {
    if (isFunction(node)) found.push(node.body)
    return true
  })
  return found
}

function lateAwaits(body) {
  const { starts, awaits, handled } = eventsOf(body)
  return starts.flatMap(({ name, node, loop }) => {
    const awaited = awaits.find(
      (one) => one.names.has(name) && (one.at > node.end || (loop && isWithin(one.node, loop))),
    )
    if (!awaited) return name === undefined ? [node] : []
    const isHandledBefore = (at) => handled.some((one) => one.name === name && one.at > node.end && one.at < at)
    const between = awaits.some((one) => {
      if (one.names.has(name)) return false
      const comesAround = loop && isWithin(one.node, loop) && !isWithin(awaited.node, loop)
      const isBetween = one.at > node.end && one.at < awaited.at
      return (isBetween || comesAround) && !isHandledBefore(one.at)
    })
    return between ? [node] : []
  })
}

/** Events of this function and of none inside it: promises started, awaits, and rejections taken care of. */
function eventsOf(body) {
  const starts = []
  const awaits = []
  const handled = []
  const loops = []
  visit(body, (node, leave) => {
    if (node !== body && isFunction(node)) return false
    if (LOOPS.has(node.type)) {
      loops.push(node)
      leave(() => loops.pop())
    }
    for (const { name, value } of assignments(node)) {
      if (mayStart(value)) starts.push({ name, node: value, loop: undefined })
    }
    const pushed = pushedValue(node)
    if (pushed && mayStart(pushed.value)) starts.push({ name: pushed.name, node: pushed.value, loop: loops.at(-1) })
    if (node.type === 'AwaitExpression') awaits.push({ node, at: node.end, names: namesIn(node.argument) })
    if (node.type === 'ForOfStatement' && node.await) awaits.push({ node, at: node.start, names: namesIn(node.right) })
    const name = handledName(node)
    if (name) handled.push({ name, at: node.start })
    for (const value of overtaken(node)) starts.push({ name: undefined, node: value, loop: undefined })
    return true
  })
  return { starts, awaits, handled }
}

function assignments(node) {
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
    return [{ name: node.id.name, value: node.init }]
  }
  if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier') {
    return [{ name: node.left.name, value: node.right }]
  }
  return []
}

/** `list.push(begin())` */
function pushedValue(node) {
  if (node.type !== 'CallExpression' || propertyOf(node.callee) !== 'push') return undefined
  const list = node.callee.object
  const value = node.arguments[0]
  return list.type === 'Identifier' && value ? { name: list.name, value } : undefined
}

/** Elements of `Promise.all([begin(), await other()])` that are under way while a later element is awaited. */
function overtaken(node) {
  if (!isCombinator(node) || node.arguments[0]?.type !== 'ArrayExpression') return []
  const elements = node.arguments[0].elements.filter(Boolean)
  const lastAwait = elements.findLastIndex((element) => containsAwait(element))
  return elements.filter((element, index) => index < lastAwait && mayStart(element) && !containsAwait(element))
}

/** A call that may give a promise which may fail without a handler. */
function mayStart(value) {
  const node = unwrapped(value)
  if (node.type === 'ImportExpression') return true
  if (node.type === 'ConditionalExpression') return mayStart(node.consequent) || mayStart(node.alternate)
  if (node.type === 'LogicalExpression') return mayStart(node.right)
  if (node.type !== 'CallExpression') return false
  const property = propertyOf(node.callee)
  if (property === 'catch' || (property === 'then' && node.arguments.length > 1)) return false
  if (node.callee.type === 'Identifier' && node.callee.name === 'started') return false
  const isSettled = node.callee.object?.name === 'Promise' && (property === 'allSettled' || property === 'resolve')
  return !isSettled
}

/** `name.catch(…)`, `name.then(a, b)`, `started(name)`, or `Promise.all([name])` under way elsewhere. */
function handledName(node) {
  if (node.type !== 'CallExpression') return undefined
  const property = propertyOf(node.callee)
  if (
    (property === 'catch' || (property === 'then' && node.arguments.length > 1)) &&
    node.callee.object.type === 'Identifier'
  ) {
    return node.callee.object.name
  }
  const [argument] = node.arguments
  return node.callee.type === 'Identifier' && node.callee.name === 'started' && argument?.type === 'Identifier'
    ? argument.name
    : undefined
}

/** The names that an `await` waits for: the value itself, or what is handed to `Promise.all` and its relatives. */
function namesIn(argument) {
  const names = new Set()
  const node = unwrapped(argument)
  if (node.type === 'Identifier') names.add(node.name)
  visit(node, (inner) => {
    if (isCombinator(inner)) for (const part of partsOf(inner.arguments[0])) names.add(part)
    return !isFunction(inner)
  })
  return names
}

/** `Promise.all(list)`, `Promise.all([one, ...list])` */
function partsOf(list) {
  if (!list) return []
  const node = unwrapped(list)
  const parts = node.type === 'ArrayExpression' ? node.elements.filter(Boolean) : [node]
  return parts.flatMap((part) => {
    const value = unwrapped(part.type === 'SpreadElement' ? part.argument : part)
    return value.type === 'Identifier' ? [value.name] : []
  })
}

function isCombinator(node) {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.callee.object.type === 'Identifier' &&
    node.callee.object.name === 'Promise' &&
    COMBINATORS.has(propertyOf(node.callee))
  )
}

function containsAwait(node) {
  let found = false
  visit(node, (inner) => {
    if (inner.type === 'AwaitExpression') found = true
    return !isFunction(inner)
  })
  return found
}

function unwrapped(node) {
  let inner = node
  while (
    [
      'TSAsExpression',
      'TSNonNullExpression',
      'TSSatisfiesExpression',
      'ChainExpression',
      'ParenthesizedExpression',
    ].includes(inner.type)
  ) {
    inner = inner.expression
  }
  return inner
}

const propertyOf = (callee) =>
  callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined

const isFunction = (node) =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

const isWithin = (node, outer) => node.start >= outer.start && node.end <= outer.end

/** In the order of the source. `enter` says whether to go into a node, and may ask to be called when it is left. */
function visit(node, enter) {
  const leavers = []
  if (!enter(node, (leave) => leavers.push(leave))) return
  for (const key of Object.keys(node)) {
    if (key === 'parent' || key === 'range' || key === 'loc') continue
    const value = node[key]
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === 'object' && typeof child.type === 'string') visit(child, enter)
    }
  }
  for (const leave of leavers) leave()
}

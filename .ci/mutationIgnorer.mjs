import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"

const logs = [/^Effect$/, /^(log[A-Z]?\w*|annotateLogs)$/, "the text of a log line"]
/** Calls whose arguments no test compares, and why. */
const ignoredCalls = [
  logs,
  [/^Context$/, /^GenericTag$/, "the key of a service: it only has to differ from other keys"]
]

const isCallOf = (node, [object, name]) =>
  node?.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  object.test(node.callee.object.name) &&
  name.test(node.callee.property.name)

/** `if (…) yield* Effect.logWarning(…)` */
const isConditionalLog = (node) =>
  node.type === "IfStatement" &&
  node.consequent.type === "ExpressionStatement" &&
  isCallOf(node.consequent.expression.argument, logs)

const reasonOf = (node) =>
  isConditionalLog(node) ? "whether a line is logged" : ignoredCalls.find((call) => isCallOf(node, call))?.[2]

/** Tells Stryker which code it does not mutate. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "calls", { shouldIgnore: (path) => reasonOf(path.node) })
]

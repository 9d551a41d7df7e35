import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"

const isLogOf = ({ callee }) =>
  callee.type === "MemberExpression" &&
  callee.object.type === "Identifier" &&
  callee.object.name === "Effect" &&
  callee.property.type === "Identifier" &&
  /^(log[A-Z]?\w*|annotateLogs|withSpan)$/.test(callee.property.name)

/** Ignores the arguments of log calls: no test depends on the text of a log line. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "logs", {
    shouldIgnore: (path) => (path.isCallExpression() && isLogOf(path.node) ? "the text of a log line" : undefined)
  })
]

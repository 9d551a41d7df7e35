import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"

/** Calls whose arguments no test compares, and why. */
const ignoredCalls = [
  ["Effect", /^(log[A-Z]?\w*|annotateLogs)$/, "the text of a log line"],
  ["Context", /^GenericTag$/, "the key of a service: it only has to differ from other keys"]
]

const reasonOf = ({ callee }) =>
  callee.type === "MemberExpression" && callee.object.type === "Identifier" && callee.property.type === "Identifier"
    ? ignoredCalls.find(([object, name]) => callee.object.name === object && name.test(callee.property.name))?.[2]
    : undefined

/** Tells Stryker which code it does not mutate. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "calls", {
    shouldIgnore: (path) => (path.isCallExpression() ? reasonOf(path.node) : undefined)
  })
]

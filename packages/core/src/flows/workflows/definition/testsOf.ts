import type { RunCondition } from "../../../model/RunCondition.js"
import type { Definition } from "../../../model/Workflow.js"

/** A condition without nested conditions. */
export type Test = Exclude<
  RunCondition,
  { readonly all: unknown } | { readonly any: unknown } | { readonly not: unknown }
>

/** A {@link Test} and its wire path in a definition, such as `actions.0.if.all.1`. */
export interface TestWithPath {
  readonly test: Test
  readonly path: string
}

/** All tests of a definition: in its own conditions, and in those of its actions. */
export const testsOf = ({ actions = [], conditions = null }: Partial<Definition>): ReadonlyArray<TestWithPath> => [
  ...testsIn(conditions, "conditions"),
  ...actions.flatMap((action, position) => testsIn(action.if, `actions.${position}.if`))
]

const testsIn = (condition: RunCondition | null, path: string): ReadonlyArray<TestWithPath> => {
  if (condition === null) return []
  if ("all" in condition) return condition.all.flatMap((one, index) => testsIn(one, `${path}.all.${index}`))
  if ("any" in condition) return condition.any.flatMap((one, index) => testsIn(one, `${path}.any.${index}`))
  if ("not" in condition) return testsIn(condition.not, `${path}.not`)
  return [{ test: condition, path }]
}

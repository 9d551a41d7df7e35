import type { Definition } from "../Workflow.js"
import type { RunCondition } from "./RunCondition.js"

/** A condition that has no others in it. */
export type Test = Exclude<
  RunCondition,
  { readonly all: unknown } | { readonly any: unknown } | { readonly not: unknown }
>

/** A {@link Test} and the path to it in a definition, in wire names: `actions.0.if.all.1`. */
export interface PlacedTest {
  readonly test: Test
  readonly path: string
}

/** Every test of a definition: those of its own conditions, and those of its actions. */
export const testsOf = ({ actions = [], conditions = null }: Partial<Definition>): ReadonlyArray<PlacedTest> => [
  ...testsIn(conditions, "conditions"),
  ...actions.flatMap((action, position) => testsIn(action.if, `actions.${position}.if`))
]

const testsIn = (condition: RunCondition | null, path: string): ReadonlyArray<PlacedTest> => {
  if (condition === null) return []
  if ("all" in condition) return condition.all.flatMap((one, index) => testsIn(one, `${path}.all.${index}`))
  if ("any" in condition) return condition.any.flatMap((one, index) => testsIn(one, `${path}.any.${index}`))
  if ("not" in condition) return testsIn(condition.not, `${path}.not`)
  return [{ test: condition, path }]
}
